# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
#
# The rule of Finnish here: the path is never inflected, so it is the subject of the message and
# stands in the nominative. The message is the predicate of that subject and says what is so or
# what is allowed: "on …", "ei ole …", "saa …", "ei saa …", "sisältää …", "puuttuu". Verbs that want
# another case of the path do not fit: "on oltava", "täytyy", "pitää" (genitive), "ei voi muuttaa"
# (partitive; write "ei ole muutettavissa"). Examples stand in brackets: "(esim. 2026-11-20)". What
# to do follows after a semicolon, in the imperative. Blanks are not inflected either: a noun before
# them has the ending ("kuljetusliikettä { $carrier }"), or they follow a colon. Whole answers are
# sentences of their own: the imperative for what to do, "ei voi" and the passive for what happens.
required = on pakollinen
not-an-object = ei ole objekti
not-a-list = ei ole lista
not-text = ei ole merkkijono
not-a-number = ei ole luku
not-an-integer = ei ole kokonaisluku
not-in-range = ei ole kokonaisluku väliltä { $min }–{ $max }
not-a-boolean = saa olla vain true tai false
not-a-uuid = ei ole kelvollinen UUID (esim. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b)
not-a-time = ei ole kelvollinen päivämäärä ja kellonaika UTC-siirtymineen (esim. 2026-11-20T17:00:00+01:00)
not-a-known-time = saa olla vain ajankohta väliltä { $min } – { $max }
not-a-date = ei ole kelvollinen päivämäärä (esim. 2026-11-20)
not-one-of = saa olla vain jokin seuraavista: { $choices }
not-a-currency = ei ole kelvollinen ISO 4217 -valuuttakoodi (esim. DKK)
not-money = ei ole käytössä oleva raha; käytä valuuttakoodia, kuten EUR
not-a-country = ei ole kelvollinen kahden ison kirjaimen ISO 3166 -maakoodi (esim. DK)
not-a-language = saa olla vain jokin kielikoodeista en, da, sv, nb, fi, de
not-an-email = ei ole kelvollinen sähköpostiosoite
not-a-phone = ei ole kelvollinen puhelinnumero (esim. +4530274735)
unknown-field = ei ole tunnettu kenttä
unknown-field-near = ei ole tunnettu kenttä; tarkoititko kenttää { $near }?
fixed-field = ei ole muutettavissa
duplicate-field = esiintyy kahdesti samassa objektissa
duplicate-value = esiintyy listassa kahdesti
blank = ei saa olla tyhjä
too-long = { $max ->
    [one] saa olla enintään { $max } merkin pituinen
   *[other] saa olla enintään { $max } merkin pituinen
}
too-short = { $min ->
    [one] on liian lyhyt; vähimmäispituus on { $min } merkki
   *[other] on liian lyhyt; vähimmäispituus on { $min } merkkiä
}
control-character = ei saa sisältää ohjausmerkkejä
too-few = { $min ->
    [one] vaatii vähintään { $min } alkion
   *[other] vaatii vähintään { $min } alkiota
}
too-many = { $max ->
    [one] saa sisältää enintään { $max } alkion
   *[other] saa sisältää enintään { $max } alkiota
}
not-positive = ei ole suurempi kuin 0
too-large = saa olla enintään { $max }
too-small = ei saa olla pienempi kuin { $min }
too-many-decimals = saa sisältää enintään 3 desimaalia
unit-missing = on pakollinen, koska kentällä { $path } on arvo
unknown-printer = ei ole tämän tiimin tulostin

# What is wrong with a body as a whole.
body-not-json = ei ole kelvollista JSONia (tavu { $offset })
body-not-object = ei ole JSON-objekti
body-too-deep = sisältää liian monta sisäkkäistä tasoa
body-too-many = sisältää yli { $max } arvoa
body-missing = puuttuu; lähetä pyynnön runkona JSON-objekti

# What is wrong with a query parameter or header.
unknown-parameter = ei ole tunnettu parametri
unknown-parameter-near = ei ole tunnettu parametri; tarkoititko parametria { $near }?
duplicate-parameter = on annettu kahdesti
bad-cursor = ei ole tämän listan kursori
bad-idempotency-key = saa sisältää vain merkkejä A-Z, a-z, 0-9, pisteitä, alaviivoja ja yhdysmerkkejä; sallittu pituus on 16–128 merkkiä
idempotency-key-reused = on jo käytetty pyynnössä, jossa oli eri runko; käytä uudessa pyynnössä uutta avainta

# Whole answers.
invalid = Pyyntö on virheellinen.
invalid-at = Pyyntö on virheellinen: { $path } { $problem }
unauthenticated = Lähetä kelvollinen käyttöoikeustunnus muodossa "Authorization: Bearer …".
token-malformed = Tämä käyttöoikeustunnus ei ole meidän myöntämämme: sen tarkistusnumerot eivät täsmää. Tarkista, että se kopioitiin kokonaan.
not-from-carrier = Viesti ei todista tulevansa kuljetusliikkeeltä.
forbidden-scope = Käyttöoikeustunnukselta puuttuu oikeus { $scope }. Käytä tunnusta, jolla se on.
forbidden-role = Vain tiimin ylläpitäjä voi tehdä tämän.
not-found = Tätä ei ole olemassa, tai se ei kuulu tälle tiimille.
unknown-path = Tätä polkua ei ole olemassa. API on kuvattu osoitteessa /docs.
method-not-allowed = Metodi { $method } ei ole sallittu tässä. Sallitut metodit: { $allowed }.
conflict-version = Resurssi on muuttunut sen jälkeen, kun luit sen. Lue se uudelleen ja toista muutos.
conflict-in-progress = Aiempaa samaa asiaa koskevaa pyyntöä käsitellään yhä. Yritä hetken kuluttua uudelleen.
replayed-deleted = Tällä Idempotency-Key-avaimella luotu on poistettu. Luo uusi toisella avaimella.
too-many-requests = Pyyntöjen enimmäismäärä on saavutettu. Yritä uudelleen { $seconds ->
    [one] { $seconds } sekunnin
   *[other] { $seconds } sekunnin
} kuluttua.
payload-too-large = Pyynnön runko on suurempi kuin { $max } tavua.
chunks-too-small = Runko tulee liian monessa pienessä osassa. Lähetä se suurempina osina tai käytä Content-Length-otsaketta.
unsupported-media-type = Lähetä pyynnön runko pakkaamattomana muodossa application/json.
bad-request = Pyyntöä ei voitu lukea.
two-credentials = Pyynnössä on kaksi käyttöoikeustunnusta. Lähetä niistä yksi: bearer-tunnuksena tai api_token-parametrina.
legacy-invalid = Annetut tiedot ovat virheelliset.
legacy-in-progress = Lähetystä varataan yhä. Lähetä sama pyyntö uudelleen muutaman sekunnin kuluttua.
request-timeout = Pyynnön vastaanottaminen kesti liian kauan. Lähetä se uudelleen.
internal = Palvelimellamme tapahtui virhe. Ilmoita meille Request-ID { $id }.
unavailable = Palvelin ei voi vastata juuri nyt. Yritä hetken kuluttua uudelleen.

# What is wrong with a shipment.
not-an-hs-code = ei ole kelvollinen tullinimike (HS-koodi, 6–10 numeroa)
not-a-un-number = ei ole kelvollinen YK-numero (UN ja neljä numeroa, esim. UN1263)
not-after-start = ei ole myöhempi kuin start
in-the-past = ei saa olla menneisyydessä
not-after-from = ei ole myöhempi kuin from
mixed-currencies = ei saa poiketa lähetyksen muista valuutoista; käytetyt valuutat: { $units }
mixed-weight-units = ei saa poiketa lähetyksen muista painoyksiköistä; käytetyt yksiköt: { $units }
mixed-length-units = ei saa poiketa lähetyksen muista pituusyksiköistä; käytetyt yksiköt: { $units }
net-above-gross = ei saa olla alle { $net }, koska sisältö painaa sen verran
no-format = tarjoaa osoitelaput muodossa { $offered }, mutta tiimin asetuksissa vaaditaan { $wanted }
legacy-no-pdf = edellyttää osoitelappua PDF-tiedostona, mutta tiimin asetuksissa ei ole tätä muotoa
legacy-no-label = on vailla osoitelappua PDF-tiedostona
legacy-several-websites = puuttuu polusta; tunnus kelpaa useassa tiimissä
legacy-carrier-words = { $words }
no-size = tarjoaa osoitelaput koossa { $offered }, mutta tiimin asetuksissa vaaditaan { $wanted }
not-the-first-size = ei ole luettelon sizes ensimmäinen koko; poista se tai anna ensimmäinen

# What a service does not offer, or asks for.
characters-not-accepted = sisältää merkkejä, joita tämä palvelu ei hyväksy: { $characters }
not-served-from = ei ole maa, josta tämä palvelu lähettää; lähtömaat: { $countries }
not-served-to = ei ole maa, johon tämä palvelu toimittaa; kohdemaat: { $countries }
not-served-within = ei saa olla sama kuin lähtömaa: tämä palvelu ei toimita maan { $country } sisällä
not-a-postal-code = ei ole kelvollinen postinumero maassa { $country } (esim. { $example })
not-an-area-code = ei ole osavaltion tai provinssin kahden ison kirjaimen tunnus (esim. NY)
pickup-point-not-offered = ei ole sallittu: tämä palvelu ei toimita noutopisteisiin
addon-not-offered = ei ole tämän palvelun lisäpalvelu; saatavilla: { $addons }
no-addon-offered = ei ole tämän palvelun lisäpalvelu; lisäpalveluja ei ole saatavilla
addon-required = ei sisällä pakollista lisäpalvelua { $addon }
addon-without-value = ei ole sallittu: tälle lisäpalvelulle ei anneta arvoa
not-an-amount = ei ole rahamäärä valuutan pienimmässä yksikössä (esim. { "{" }"value": 50000, "currency": "EUR"{ "}" })
addon-phone = ei ole teksti, jossa on puhelinnumero maakoodeineen (esim. "+358401234567")
addon-email = ei ole teksti, jossa on sähköpostiosoite (esim. "ada@example.com")
addon-age = saa olla vain jokin näistä teksteistä: { $choices }
addon-text = { $max ->
    [one] ei ole enintään { $max } merkin teksti (esim. "A")
   *[other] ei ole enintään { $max } merkin teksti (esim. "Liiterissä")
}
not-an-addon-value = ei ole lisäpalvelun vaatima arvo: teksti, kuten "+358401234567", tai rahamäärä, kuten { "{" }"value": 50000, "currency": "EUR"{ "}" }; ks. /v2/carriers
required-with-addon = on pakollinen, kun lisäpalvelu { $addon } on valittu
dangerous-goods-not-allowed = ei saa sisältää mitään: tämä palvelu ei kuljeta vaarallisia aineita
limited-quantity-only = saa olla vain true: tämä palvelu kuljettaa vaarallisia aineita vain rajoitettuina määrinä
girth-too-large = on liian suuri: pisimmän sivun ja kahden muun sivun kaksinkertaisen summan yhteispituus saa olla enintään { $max }
sides-too-long = on liian suuri: pituuden, leveyden ja korkeuden summa saa olla enintään { $max }
weights-too-heavy = saa painaa yhteensä enintään { $max }
required-by-customs = on pakollinen, koska lähetys ylittää tullirajan
required-from = on pakollinen, koska lähetyksen lähtömaa on { $country }
required-to = on pakollinen, koska lähetyksen kohdemaa on { $country }
one-required = on pakollinen, ellei jotakin näistä kentistä ole annettu: { $fields }
must-be-left-out = ei ole sallittu: tämä palvelu ei ota sitä vastaan

# Mikä varauksessa on vialla.
unknown-service = ei ole minkään kuljetusliikkeen palvelu; ks. /v2/carriers
no-account = edellyttää käytössä olevaa tiliä (kuljetusliike: { $carrier }); lisää tili ensin
no-merchant = on pakollinen, koska tiimin asetuksissa ei ole lähettäjän osoitetta
no-pickup-point = on pakollinen: asiakkaan läheltä ei tunneta noutopistettä
unknown-pickup-point = ei ole tämän palvelun noutopiste; lähimmät: { $near }
no-such-pickup-point = ei ole tämän palvelun noutopiste
no-points-in-country = ei ole valittavissa: tällä palvelimella ei tunneta yhtään kuljetusliikkeen { $carrier } noutopistettä (maa: { $country })
unknown-template = ei ole tämän tiimin malli
template-pickup-point = sisältää noutopisteen, mutta tämä palvelu ei toimita noutopisteisiin; lähetä delivery.pickup_point arvolla null tai valitse toinen palvelu
template-point-unfit = sisältää noutopisteen { $code }, joka ei kuulu tähän palveluun asiakkaan maassa; lähetä delivery.pickup_point toisella koodilla, tai arvolla null, jolloin valitaan lähin
carrier-not-bookable = tarkoittaa kuljetusliikettä { $carrier }, joka ei ole vielä varattavissa tällä versiolla
credentials-refused = ei kelpaa kuljetusliikkeelle: { $words }
not-a-time-zone = ei ole aikavyöhyke (esim. Europe/Helsinki)
unknown-carrier = ei ole luettelon kuljetusliike

# Mitä varaukselle tapahtui.
failure-rejected = { $carrier } hylkäsi varauksen. Korjaa tiedot ja luo uusi lähetys.
failure-technical = Varausta ei voitu viedä loppuun. Jos { $carrier } on hyväksynyt sen, hae asiakirjat uudelleen; älä varaa uudestaan.
failure-documents = Varaus on kuljetusliikkeellä { $carrier }, mutta sen asiakirjoja ei voitu laatia. Hae asiakirjat uudelleen tai peruuta lähetys; älä varaa uudestaan.
failure-documents-final = Varaus on kuljetusliikkeellä { $carrier }, mutta sen asiakirjoja ei voitu laatia, eikä kuljetusliike anna niitä tänne uudelleen. Hae ne suoraan kuljetusliikkeeltä tai peruuta lähetys; älä varaa uudestaan.
failure-deadline = { $carrier } ei vastannut ajoissa, joten varaus voi olla voimassa. Älä varaa uudestaan; myöhäinen hyväksyntä päivittää tämän lähetyksen.
failure-interrupted = Tietokanta palautettiin varmuuskopiosta, kun varausta tehtiin kuljetusliikkeelle { $carrier }, joten varaus voi olla voimassa. Älä varaa uudestaan; myöhäinen hyväksyntä päivittää tämän lähetyksen.
failure-unknown = Varaus voi olla voimassa, eikä kuljetusliikkeeltä { $carrier } voi kysyä sitä täältä. Tarkista asia sieltä ennen uutta varausta.
failure-restored = Tietokanta on palautettu varmuuskopiosta. Täältä varausta ei tehty, mutta menetetty tietokanta on voinut tehdä varauksen kuljetusliikkeelle { $carrier }. Tarkista asia sen omasta luettelosta tai suorita palvelimella "waybill reconcile". Jos varaus on siellä, älä varaa uudestaan: käytä sitä tai peruuta se siellä. Jos sitä ei ole, luo uusi lähetys.
failure-restored-unbooked = Tietokanta palautettiin varmuuskopiosta ennen kuin tämä varattiin, eikä varausta ole kuljetusliikkeellä { $carrier }. Mitään ei varattu; luo uusi lähetys ja yritä uudelleen.
failure-unbooked = Sitä ei voitu varata ajoissa kuljetusliikkeeltä { $carrier }. Mitään ei varattu; luo uusi lähetys ja yritä uudelleen.
failure-nothing-booked = Varausta ei voitu viedä loppuun, eikä { $carrier } saanut varausta. Luo uusi lähetys ja yritä uudelleen.
failure-partial = { $carrier } otti vastaan vain osan paketeista ({ $taken }/{ $count }): ne, joilla on seurantatunnus. Älä varaa niitä uudestaan. Peruuta tämä lähetys ja luo uusi, tai hae asiakirjat uudelleen ja lähetä nämä paketit.
failure-partial-final = Kuljetusliike { $carrier } otti vastaan vain osan paketeista ({ $taken }/{ $count }): ne, joilla on seurantatunnus. Älä varaa niitä uudestaan. Niiden asiakirjoja ei voitu laatia, eikä kuljetusliike anna niitä tänne uudelleen. Peruuta tämä lähetys ja luo uusi, tai hae näiden pakettien asiakirjat suoraan kuljetusliikkeeltä.
failure-partial-documents = { $carrier } otti vastaan vain osan paketeista ({ $taken }/{ $count }): ne, joilla on seurantatunnus. Älä varaa niitä uudestaan. Niiden asiakirjat ovat valmiina: lähetä nämä paketit, tai peruuta tämä lähetys ja luo uusi.
failure-cancelled = Varaus epäonnistui, ja se osa, joka kuljetusliikkeellä { $carrier } siitä oli, on peruutettu. Luo uusi lähetys ja yritä uudelleen.
parcel-not-taken = Tätä pakettia ei otettu vastaan.
note-not-sent = Varausta ei voitu lähettää kuljetusliikkeelle { $carrier }.
note-not-tried = Varausta ei lähetetty ajoissa kuljetusliikkeelle { $carrier }.
note-no-answer = { $carrier } ei antanut vastausta, josta selviäisi, onko varaus voimassa.
note-absent = Varausta ei ole kuljetusliikkeellä { $carrier }.
note-no-documents = { $carrier } ei lähettänyt asiakirjoja.
note-papers = Asiakirjoja ei voitu laatia siitä, mitä { $carrier } lähetti.
note-not-kept = Asiakirjoja ei voitu tallentaa tälle palvelimelle.
note-restored = Tietokanta palautettiin varmuuskopiosta ennen kuin { $carrier } oli ottanut varauksen vastaan täältä.
note-interrupted = Tietokanta palautettiin varmuuskopiosta, kun varausta tehtiin kuljetusliikkeelle { $carrier }.
note-no-account = Kuljetusliikkeen { $carrier } tiliä ei voi käyttää.
not-cancellable = Peruutettavaa ei ole: lähetys ei ole kuljetusliikkeellä.
cancel-too-early = Lähetystä varataan vielä. Peruuta se, kun varaaminen on päättynyt.
cancel-while-documents = Lähetys on kuljetusliikkeellä, ja sen asiakirjoja laaditaan uudelleen. Peruuta se, kun se on valmis.
outcome-asked = Vielä ei tiedetä, onko lähetys kuljetusliikkeellä { $carrier }, ja asiaa kysytään edelleen. Siihen asti sitä ei voi peruuttaa eikä poistaa, eikä asiakirjoja ole. Jos se on siellä, siitä tulee täällä varattu.
outcome-unknown = Lähetys voi olla kuljetusliikkeellä { $carrier }, eikä sitä voi kysyä täältä. Siksi lähetystä ei voi peruuttaa eikä poistaa täällä, eikä asiakirjoja ole. Tarkista asia kuljetusliikkeen omasta luettelosta. Jos varaus on siellä, käytä sitä tai peruuta se siellä. Jos sitä ei ole, merkitse se palvelimella komennolla "waybill reconcile --not-booked"; sen jälkeen lähetyksen voi poistaa.
outcome-restored = Tietokanta on palautettu varmuuskopiosta. Täältä varausta ei tehty, mutta menetetty tietokanta on voinut varata lähetyksen kuljetusliikkeeltä { $carrier }. Siksi lähetystä ei voi peruuttaa eikä poistaa täällä, eikä asiakirjoja ole. Tarkista asia kuljetusliikkeen omasta luettelosta. Jos varaus on siellä, käytä sitä tai peruuta se siellä. Jos sitä ei ole, merkitse se palvelimella komennolla "waybill reconcile --not-booked"; sen jälkeen lähetyksen voi poistaa.
cancel-refused = Kuljetusliike hylkäsi peruutuksen: { $words }
too-many-secrets = Salainen avain on vaihdettu liian usein. Vaihdettu avain allekirjoittaa vielä vuorokauden ajan, ja tällaisia avaimia voi olla enintään { $max } kerrallaan. Yritä myöhemmin uudelleen.
no-cancelling = Tämä kuljetusliike ei peruuta varauksia.
cancel-unclear = Kuljetusliike ei ole vahvistanut peruutusta: lähetys on ehkä peruutettu. Kysymme yhä uudelleen. Lue lähetys Location-otsakkeen osoitteesta nähdäksesi, miten kävi, tai peruuta se uudelleen.
cancel-unsettled = Kuljetusliikettä on pyydetty peruuttamaan tämä lähetys, eikä se ole vahvistanut sitä. Lue lähetys uudelleen ennen kuin pyydät sen asiakirjoja.
not-deletable = Lähetystä ei voi poistaa, koska se on tai saattaa olla kuljetusliikkeellä. Sen, mikä kuljetusliikkeellä on, voi peruuttaa.
never-begun = Lähetystä ei koskaan varattu: sen erä pysäytettiin sitä ennen. Se jää erään peruutettuna, eikä sitä voi poistaa.
cancelled-not-deletable = Lähetys oli varattu kuljetusliikkeeltä ja on peruutettu. Se säilytetään, eikä sitä voi poistaa.
nothing-to-recover = Haettavia asiakirjoja ei ole: kuljetusliike ei ole hyväksynyt lähetystä.
cancelled-no-documents = Lähetys on peruutettu. Sen asiakirjoja ei enää laadita.
account-in-use = Tiliä ei voi poistaa, koska sillä on varattu lähetyksiä. Aseta sen sijaan kentän is_active arvoksi false.
gone = Linkki on vanhentunut. Hae asiakirja tai sen lähetys uudelleen, niin saat uuden linkin.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = sisältää merkin { $character } ({ $code }), jota ei voi tulostaa
no-room-on-paper = on liian pitkä paperille, jolle se tulostetaan
no-barcode = ei sovi viivakoodiksi
not-gs1 = ei koostu GS1-tiedoista (esim. (00)357012340000000014)
document-not-drawn = ei ole piirrettävissä tässä muodossa
document-self-check = ei läpäissyt tarkistusta piirtämisen jälkeen
document-barcode = sisältää viivakoodin, jota ei voi lukea
document-pages-png = sisältää useita sivuja, mutta PNG-tiedostoon mahtuu vain yksi
document-too-large = on suurempi kuin mikään osoitelappu
document-no-size = ei kerro sivujensa kokoa
document-not-pdf = ei ole PDF-tiedosto
document-not-png = ei ole PNG-tiedosto
document-not-zpl = ei ole ZPL-tiedosto
document-zpl-command = sisältää komennon { $command }, joka ei ole sallittu: se tekee muutakin kuin piirtää
document-encrypted = on salattu
document-format = ei voi tulla kuljetusliikkeeltä tässä muodossa

# What is printed on labels and papers.
paper-shipping-label = Osoitelappu
paper-label = Paketin osoitelappu
paper-return-label = Palautuksen osoitelappu
paper-return = PALAUTUS
paper-from = Lähettäjä
paper-to = Vastaanottaja
paper-date = Päivä
paper-weight = Paino
paper-reference = Viite
paper-parcel = Paketti
paper-pickup-point = Noutopiste
paper-cash-on-delivery = Postiennakko
paper-cash-with-parcel = Postiennakko peritään paketin { $number }/{ $count } yhteydessä
paper-minimum-age = Tarkista ikä
paper-leave-at = Saa jättää
paper-dangerous-goods = Vaarallisia aineita
paper-limited-quantity = Rajoitettu määrä
paper-test-label = TESTIOSOITELAPPU – ei lähetettäväksi
paper-page = Sivu { $page }/{ $pages }
paper-may-open = Tulli voi avata
paper-customs-title = Tulli-ilmoitus
paper-commercial-goods = Tavaran myynti
paper-commercial-sample = Tavaranäyte
paper-gift = Lahja
paper-documents = Asiakirjoja
paper-returned-goods = Palautettu tavara
paper-other = Muu
paper-description = Sisällön kuvaus
paper-quantity = Määrä
paper-net-weight = Nettopaino
paper-gross-weight = Bruttopaino
paper-value = Arvo
paper-hs-code = HS-nimike
paper-origin = Alkuperä
paper-total-weight = Kokonaispaino
paper-total-value = Kokonaisarvo
paper-postage = Postimaksut
paper-comments = Huomautuksia
paper-licence = Lisenssin nro
paper-certificate = Todistuksen nro
paper-customs-promise = Vakuutan, että tämän ilmoituksen tiedot ovat oikein ja ettei lähetyksessä ole vaarallisia esineitä eikä esineitä, jotka laki tai posti- tai tullimääräykset kieltävät.
paper-customs-promise-dangerous = Vakuutan, että tämän ilmoituksen tiedot ovat oikein ja ettei lähetyksessä ole esineitä, jotka laki tai posti- tai tullimääräykset kieltävät.
paper-signature = Päiväys ja allekirjoitus
paper-invoice-commercial = Kauppalasku
paper-invoice-proforma = Proformalasku
paper-invoice-number = Laskun nro
paper-invoice-date = Laskun päiväys
paper-seller = Myyjä
paper-buyer = Ostaja
paper-tracking = Seurantatunnus
paper-incoterm = Toimitusehto
paper-reason = Viennin syy
paper-unit-price = Yksikköhinta
paper-amount = Summa
paper-subtotal = Välisumma
paper-shipping-cost = Rahti
paper-insurance = Vakuutus
paper-total = Yhteensä
paper-not-for-payment = Arvo vain tullausta varten. Ei maksettavaksi.
paper-invoice-promise = Vakuutamme, että tämän laskun tiedot ovat todet ja oikeat.
paper-packing-list = Pakkausluettelo
paper-pick-list = Keräilylista
paper-packing-slip = Lähete
paper-location = Paikka
paper-item = Tuote
paper-number = Numero
paper-sku = Tuotenro
paper-manifest = Lähetysluettelo
paper-carrier = Kuljetusliike
paper-shipments = Lähetykset
paper-parcels = Paketit
paper-receiver = Vastaanottaja
paper-destination = Määränpää
paper-service = Palvelu
paper-handed-over = Luovutettu
paper-received = Kuljettaja vastaanottanut
paper-qr = Jättökoodi
paper-qr-how = Näytä tämä koodi, kun jätät paketin. Osoitelappu tulostetaan siellä.
paper-valid-until = Voimassa
paper-report = Raportti
paper-period = Jakso
report-created = Luotu
report-state = Tila
report-identifier = Tunniste
report-country = Maa
report-postal-code = Postinumero
report-city = Postitoimipaikka
report-booked-at = Varattu
report-price = Arvioitu hinta
report-currency = Valuutta
report-by-day = Lähetykset päivittäin
report-by-service = Lähetykset palveluittain
report-by-country = Lähetykset maittain
report-shipments = Lähetykset
state-pending = Odottaa
state-processing = Käsittelyssä
state-booked = Varattu
state-failed = Epäonnistunut
state-cancelled = Peruutettu
report-other = Muut
report-failed = Raporttia ei voitu tehdä. Pyydä se uudelleen.
period-too-long = saa olla enintään { $max } päivää myöhempi kuin from
nothing-to-manifest = Lähetysluetteloon ei ole mitään lisättävää: kaikki kuljetusliikkeen varatut lähetykset ovat jo lähetysluettelossa.
manifest-raced = Lähetys peruutettiin tai lisättiin toiseen lähetysluetteloon sillä välin. Yritä uudelleen.
day-not-closed = Kuljetusliike ei ole vahvistanut, että päivä on päätetty. Lähetykset jäävät avoimiksi. Yritä uudelleen.
day-refused = Kuljetusliike ei päättänyt päivää, ja lähetykset jäävät avoimiksi. Kuljetusliike ilmoitti: { $words }
not-for-manifest = ei ole tämän kuljetusliikkeen varattu lähetys
on-a-manifest = on jo lähetysluettelossa
merge-one-way = on yksi vaihtoehdoista { $names }; anna niistä täsmälleen yksi
merge-no-types = ei saa esiintyä yhdessä tämän kentän kanssa: { $name }
merge-no-positions = saa esiintyä vain yhdessä tämän kentän kanssa: { $name }
merge-last-before-first = ei saa olla pienempi kuin { $name }
merge-too-far = saa olla alle { $max } sijaa suurempi kuin { $name }
merge-unknown-shipment = ei ole tämän tiimin lähetys
merge-no-document = ei sisällä tällaista asiakirjaa
merge-unknown-batch = ei ole tämän tiimin erä
merge-format = sisältää tiedoston, jota ei voi yhdistää; vain PDF ja ZPL ovat yhdistettävissä
merge-too-large = on liikaa; yhdistettyjen tiedostojen yläraja on 64 MiB
merge-objects = sisältää liian monta osaa yhdistettäväksi
merge-layers = sisältää tasoja, jotka on poistettu käytöstä ja jotka yhdistetty tiedosto tulostaisi
nothing-to-merge = Yhdistettävää ei ole: missään näistä lähetyksistä ei ole tällaista asiakirjaa.
document-no-picture = ei ole näytettävissä kuvana

# Mikä webhookissa on vialla.
url-malformed = ei ole tavallinen URL-osoite (esim. https://shop.example.com/hooks)
url-not-https = ei ala merkeillä https://
url-port = saa käyttää vain porttia 443 tai porttia 1024:stä ylöspäin
url-not-public = ei johda julkiseen osoitteeseen
not-in-the-past = ei saa olla tulevaisuudessa
webhook-not-active = Tämä webhook ei ole käytössä. Aseta ensin kentän is_active arvoksi true.
webhook-gone = Vastaanottaja vastasi 410 Gone.
webhook-failing = Kaikki toimitukset epäonnistuivat 5 päivän ajan.
attempt-not-allowed = Osoite ei ole julkinen, tai se ei ole sallittu.
attempt-no-address = Isäntänimeä ei voitu selvittää.
attempt-no-connection = Vastaanottajaan ei saatu yhteyttä.
attempt-no-tls = Suojattua yhteyttä (TLS) ei voitu muodostaa.
attempt-too-slow = Vastaanottaja ei vastannut 15 sekunnissa.
attempt-broken = Yhteys katkesi, tai vastaus ei ollut HTTP-muotoinen.

# Batches
batch-stopped = Pysäytettyä erää ei voi käynnistää uudelleen. Luo uusi erä.
batch-empty = Tämä erä on tyhjä. Lisää lähetyksiä, ennen kuin käynnistät sen.
batch-not-started = Tätä erää ei ole käynnistetty, joten pysäytettävää ei ole.
batch-completed = Tämä erä on valmis, joten pysäytettävää ei ole.
batch-not-open = Lähetyksiä voi lisätä vain erään, jota ei ole käynnistetty. Luo uusi erä.
batch-started = Lähetyksen erä on käynnistetty, joten sen lähetyksiä ei voi poistaa yksitellen. Pysäytä erä sen sijaan.
# Where a parcel is.
tracking-info-received = Kuljetusliike on saanut tiedon paketista.
tracking-collected = Paketti on noudettu.
tracking-in-transit = Paketti on matkalla.
tracking-at-terminal = Paketti on saapunut terminaaliin.
tracking-in-customs = Paketti on tullissa.
tracking-out-for-delivery = Paketti on jakelussa.
tracking-available = Paketti on noudettavissa.
tracking-attempt-failed = Pakettia ei voitu toimittaa: kukaan ei ottanut sitä vastaan.
tracking-delivered = Paketti on toimitettu.
tracking-delayed = Paketti on myöhässä.
tracking-exception = Paketin kuljetuksessa on poikkeama.
tracking-returning = Paketti on matkalla takaisin lähettäjälle.
tracking-returned = Paketti on palautunut lähettäjälle.
tracking-expired = Paketista ei ole kuultu mitään 30 päivään.
tracking-estimate-changed = Arvioitu toimitusaika on muuttunut.
tracking-ambiguous = Usealla seurannalla on tämä numero. Anna myös carrier_code tai shipment_uuid.
feed-expired = Tämä syötteen kohta on vanhentunut. Lue kaikki seurannat uudelleen ja seuraa sitten syötettä ilman kursoria.
feed-restored = Tietokanta on palautettu varmuuskopiosta, joka ei tunne tätä syötteen kohtaa. Lue kaikki seurannat uudelleen ja seuraa sitten syötettä ilman kursoria.
history-lost = Tietokanta on palautettu varmuuskopiosta. Tapahtumia ajalta { $after } – { $until } voi puuttua, ja osa niistä on voitu jo lukea. Lue kaikki uudelleen.
callback-unreadable = ei ole tämän kuljetusliikkeen viesti
report-trackings = Seurannat
report-trackings-by-day = Seurannat päivittäin
report-trackings-by-state = Seurannat tiloittain
report-trackings-by-service = Seurannat palveluittain
report-expected = Odotetaan viimeistään
report-delivered-at = Toimitettu
report-returned-at = Palautettu
report-last-event = Viimeisin tapahtuma
report-last-heard = Viimeksi päivitetty
tracking-state-pending = Odottaa
tracking-state-info-received = Ilmoitettu
tracking-state-in-transit = Matkalla
tracking-state-out-for-delivery = Jakelussa
tracking-state-available = Noudettavissa
tracking-state-attempt-fail = Toimitusyritys epäonnistui
tracking-state-delivered = Toimitettu
tracking-state-exception = Poikkeama
tracking-state-returned = Palautettu
tracking-state-expired = Vanhentunut
report-print-jobs = Tulostustyöt
report-print-jobs-by-day = Tulostustyöt päivittäin
report-print-jobs-by-state = Tulostustyöt tiloittain
report-print-jobs-by-printer = Tulostustyöt tulostimittain
report-document = Asiakirja
report-format = Muoto
report-printer = Tulostin
report-no-printer = Ei tulostinta
report-copies = Kopiot
report-asked-by = Pyytäjä
report-until-printed = Tulostukseen asti
report-failure = Virhe
print-state-pending = Odottaa
print-state-queued = Tulostimella
print-state-printing = Tulostuu
print-state-printed = Tulostettu
print-state-failed = Epäonnistunut
print-state-unknown = Ei tiedossa
print-source-api = Pyyntö
print-source-booking = Varaus
# Service points and rates.
not-a-clock-time = ei ole kelvollinen kellonaika (esim. 07:30)
not-opening-hours = ei sisällä kelvollisia aukioloaikoja (esim. mo-fr 07:00-22:00; sa 08:00-18:00)
not-a-zone = ei ole maa (esim. NO) eikä maa ja postinumeron alku (esim. NO:9)
not-heavier = ei ole painavampi kuin from_weight
overlapping-rates = menee päällekkäin saman palvelun ja vyöhykkeen rivin { $row } kanssa
not-bounds = ei sisällä neljää lukua muodossa minLat,minLng,maxLat,maxLng, pienemmät ensin
not-degrees = ei ole astemäärä väliltä -{ $max } – { $max }
# Files
no-such-range = Pyydetty alue on tiedoston ulkopuolella; tiedostossa on { $size } tavua.

# What a team may have only so much of.
quota-accounts = Tiimillä on jo suurin sallittu määrä kuljetusliikkeiden tilejä: { $max }. Poista tili, jota ei tarvita, tai pyydä palvelimen ylläpidolta suurempaa enimmäismäärää.
quota-webhooks = Tiimillä on jo suurin sallittu määrä webhookeja: { $max }. Poista webhook, jota ei tarvita, tai pyydä palvelimen ylläpidolta suurempaa enimmäismäärää.
quota-templates = Tiimillä on jo suurin sallittu määrä malleja: { $max }. Poista malli, jota ei tarvita, tai pyydä palvelimen ylläpidolta suurempaa enimmäismäärää.
quota-tokens = Käyttäjällä on jo suurin sallittu määrä tunnuksia: { $max }. Kumoa tunnus, jota ei tarvita, tai aseta suurempi enimmäismäärä valitsimella --quotas.
quota-batches = Tiimillä on jo suurin sallittu määrä keskeneräisiä eriä: { $max }. Käynnistä tai pysäytä jokin erä ja odota, että se on valmis.
quota-reports = Tiimillä on jo suurin sallittu määrä keskeneräisiä raportteja: { $max }. Odota, että jokin niistä on valmis, ja yritä sitten uudelleen.
quota-streams = Tiimille lähetetään jo suurin sallittu määrä tapahtumavirtoja: { $max }. Lopeta jokin niistä tai lue erä ilman tapahtumavirtaa.
quota-option-bytes = saa olla JSON-muodossa enintään { $max } tavua
quota-name-accounts = Kuljetusliikkeiden tilit
quota-name-webhooks = Webhookit
quota-name-templates = Mallit
quota-name-tokens = Omat tunnukset
quota-name-batches = Keskeneräiset erät
quota-name-reports = Keskeneräiset raportit
quota-name-streams = Tapahtumavirrat tiimille
quota-name-option-bytes = Tilin valintojen ja tunnistetietojen koko tavuina

# Tulostimet, kukin kentän polun jälkeen.
unknown-document = ei ole tämän tiimin asiakirja
printer-uri-scheme = ei ala merkeillä ipp:// tai ipps://
printer-uri-extra = ei saa sisältää käyttäjää, salasanaa, kyselyä eikä fragmenttia
printer-uri-length = saa olla enintään 1 023 tavua
printer-uri-malformed = ei ole tavallinen osoite, kuten ipp://192.168.10.21/ipp/print
printer-uri-port = ei käytä porttia 443, 631 eikä porttia 1024 tai sitä suurempaa
printer-uri-of-agent = on kiinteä: tulostusagentti on yhteydessä tähän tulostimeen
printer-known = on jo tulostin ”{ $name }”
no-print-rule = on pakollinen: mikään tulostussääntö ei sovi tähän tiedostoon ({ $file })
printer-cannot-take = ei ota vastaan muotoa { $format }; se ottaa: { $known }
printer-copies-max = saa olla enintään { $max }: tulostin ei tee enempää kopioita muodosta { $format }
print-file-too-large = on suurempi kuin { $max } Mt, eikä tulostimelle lähetetä enempää
copies-too-large = on liikaa: yhdessä ne ovat suurempia kuin { $max } Mt, eikä tulostimelle lähetetä enempää

# Tulostustyöt.
printer-full = { $max } työtä odottaa tätä tulostinta, ja se on raja. Odota, kunnes osa on tulostettu.
printer-has-jobs = Tulostimella on keskeneräisiä töitä, ja niistä voi kysyä vain nykyisestä osoitteesta. Yritä uudelleen, kun ne ovat valmiit.
print-job-not-cancellable = Se on ehkä jo lähetetty tulostimelle, joten sitä ei voi peruuttaa täällä.
print-no-rule = Mikään tulostussääntö ei sovi tähän tiedostoon ({ $said }).
print-cannot-take = Tulostin ei ota vastaan tätä muotoa ({ $said }).
print-takes-nothing = Tulostin ei ota vastaan mitään tässä tunnetuista muodoista ({ $said }).
print-too-many-copies = Tulostin ei tee näin montaa kopiota (enintään { $said }).
print-too-large = Tiedosto on kopioineen suurempi kuin { $said } Mt, eikä tulostimelle lähetetä enempää.
print-refused = Tulostin hylkäsi sen: { $said }
print-expired = Se vanheni: tulostin ei ottanut sitä ajoissa.
print-printer-removed = Tulostinta ei enää ole, eikä mitään lähetetty.
print-cancelled = Se peruutettiin ennen kuin se lähetettiin tulostimelle.
print-shipment-cancelled = Lähetys peruutettiin ennen kuin se lähetettiin tulostimelle.
print-file-gone = Tiedostoa ei ole enää tallessa.
print-cancelled-at-printer = Se peruutettiin tulostimella. { $said }
print-stopped-by-printer = Tulostin pysäytti sen. { $said }
print-forgotten = Tulostin ei enää tunne työtä. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-not-proved = Tulostin sanoo olevansa valmis, mutta ei että se sai koko tiedoston. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-interrupted = Yhteys tulostimeen katkesi lähetyksen aikana. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-not-printed = Yhteys tulostimeen katkesi lähetyksen aikana, eikä sitä tulostettu.
print-unreachable = Se on tulostimella, mutta tulostimeen ei saada yhteyttä. Katso tulostinta ennen kuin tulostat sen uudelleen.
quota-printers = Tiimillä on { $max } tulostinta, ja se on raja. Poista tarpeeton tulostin tai pyydä palvelimen ylläpitäjältä suurempaa rajaa.
quota-name-printers = Tulostimet
# Mikä tulostimen osoitteessa on vialla. Kukin teksti seuraa kentän polkua.
printer-broken = ei johda tulostimeen, joka vastaa; yhteys katkesi
printer-put-off = ei johda tulostimeen, joka vastaa; se ilmoitti: { $said }
printer-refused = ei johda tulostimeen, johon pääsemme; se ilmoitti: { $said }
printer-not-allowed = ei johda verkkoon, jossa tulostimet ovat sallittuja tällä palvelimella
printer-unknown-name = ei sisällä isäntänimeä, joka löytyy
printer-no-connection = ei johda tulostimeen, joka vastaa; osoitteessa ei oteta yhteyksiä vastaan
printer-timed-out = ei johda tulostimeen, joka vastaa; vastausta ei tullut ajoissa
printer-not-ipp = ei johda tulostimeen; vastaaja ei puhu IPP:tä
printer-no-such-queue = ei sisällä jonoa, joka tulostuspalvelimella on
printer-wants-password = saa johtaa vain tulostimeen, joka ei vaadi salasanaa
printer-wants-tls = ei ala merkeillä ipps://, vaikka tämä tulostin vaatii TLS:n
printer-not-trusted = ei johda tulostimeen, jonka varmenteeseen tämä palvelin luottaa

# Tulostusagentit.
forbidden-agent = Tunnus on tulostusagentin, eikä tämä ole tulostusagenteille.
forbidden-client = Omasta puolestaan toimivalla ohjelmalla ei ole käyttäjätiliä: tämä on käyttäjille.
user-deleted = Käyttäjä on sillä välin poistettu.
forbidden-app = Sovellus ei voi tehdä tätä, koska sen luoma jäisi voimaan pidempään kuin käyttäjän suostumus.
forbidden-expiring = Tunnus, joka päättyy, ei voi tehdä tätä, koska sen luoma ei pääty.
forbidden-one-team = Tämä tunnus kelpaa yhdessä tiimissä, ja tämä koskee sen käyttäjää kaikissa tiimeissä. Käytä tunnusta, jota ei ole sidottu tiimiin.
registration-code-not-good = ei ole nyt voimassa oleva koodi; pyydä ylläpitäjältä uusi
agent-protocol = ei sisällä yhteyskäytäntöä, jota tämä palvelin puhuu; asenna agentin versio { $version }
agent-session-over = Tämän tulostusagentin toinen istunto on alkanut. Tämän ohjelman on lopetettava tulostaminen.
printer-reported = Tulostusagentti ilmoittaa yhä tämän tulostimen. Poista se siellä tai poista tulostusagentti.
print-agent-silent = Se on tulostusagentilla, josta ei ole kuultu { $said } jälkeen. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-agent-replaced = Tulostusagentti alkoi alusta ilman tallentamiaan töitä. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-agent-removed = Tulostusagentti poistettiin, kun työ oli sillä. Katso tulostinta ennen kuin tulostat sen uudelleen.
print-agent-failed = Tulostusagentti luopui siitä. { $said }
print-agent-unsure = Tulostusagentti ei tiedä, tulostuiko se. Katso tulostinta ennen kuin tulostat sen uudelleen. { $said }
print-restored = Tietokanta palautettiin kopiosta, ja kadonnut tietokanta on ehkä tulostanut sen. Katso tulostinta ennen kuin tulostat sen uudelleen.
quota-print-agents = Tiimillä on { $max } tulostusagenttia, ja se on raja. Poista tarpeeton tulostusagentti tai pyydä palvelimen ylläpitäjältä suurempaa rajaa.
quota-name-print-agents = Tulostusagentit

# Sivut, joilla ihmiset kirjautuvat sisään ja antavat sovellukselle käyttöoikeuden.
page-sign-in = Kirjaudu sisään
page-sign-in-for = { $app } pyytää sinua kirjautumaan sisään.
page-email = Sähköpostiosoite
page-password = Salasana
page-forgotten = Unohtuiko salasana? Tämän palvelimen ylläpito voi antaa sinulle uuden.
page-wrong-password = Sähköpostiosoite tai salasana on väärä.
page-too-many-sign-ins = Liian moni kirjautuminen on epäonnistunut. Yritä uudelleen { $minutes ->
    [one] minuutin
   *[other] { $minutes } minuutin
} kuluttua.
page-busy = Liian moni kirjautuu juuri nyt. Yritä uudelleen muutaman sekunnin kuluttua.
page-consent = Saako { $app } käyttöoikeuden?
page-way-back = Sen jälkeen sinut ohjataan osoitteeseen { $host }.
page-may = Sovellus saa tehdä tämän
page-signed-in = Kirjautuneena { $name }
page-sign-out = Kirjaudu ulos
page-which-team = Missä tiimissä?
page-in-team = Tiimissä { $team }.
page-no-team = Et ole minkään tiimin jäsen, joten sallittavaa ei ole. Pyydä tiimin ylläpitäjää lisäämään sinut.
page-choose-team = Valitse tiimi.
page-allow = Salli
page-deny = Kiellä
page-error = Se ei onnistunut
page-refused = Lomaketta ei hyväksytty
page-refused-why = Se on yli tunnin vanha, tai sitä ei tehty tälle selaimelle. Palaa takaisin, lataa sivu uudelleen ja yritä vielä kerran. Selaimen on hyväksyttävä evästeet.
page-unknown-app = Sovellusta ei tunneta
page-unknown-app-why = Sovellusta, joka lähetti sinut tänne, ei ole rekisteröity tälle palvelimelle. Voit sulkea tämän sivun.
page-unknown-redirect = Paluuosoitetta ei tunneta
page-unknown-redirect-why = Osoitetta, johon sinut ohjattaisiin, ei ole rekisteröity tälle sovellukselle, joten sinua ei ohjata sinne. Voit sulkea tämän sivun.
page-other-team = Et ole tuon tiimin jäsen
page-other-team-why = Voit antaa käyttöoikeuden vain tiimiin, jonka jäsen itse olet.
page-not-a-form = Tänne voi lähettää vain näiden sivujen lomakkeen.
not-a-domain = ei ole verkkotunnus, esimerkiksi shop.example.com
page-link-over = Tämä linkki ei toimi
page-link-over-why = Se on käytetty, korvattu tai kumottu, se on liian vanha tai sitä ei kopioitu kokonaan. Pyydä uusi siltä, joka antoi sen sinulle.
page-invited = Sinut on kutsuttu
page-invited-to = Tiimiin { $team }.
page-invited-as = Tulet mukaan osoitteella { $email }.
page-your-name = Nimesi
page-new-password = Valitse salasana
page-join = Liity tiimiin
page-no-password = Käyttäjätililläsi ei ole vielä salasanaa
page-no-password-why = Pyydä palvelimen ylläpitäjää antamaan tilillesi salasana ja avaa linkki uudelleen.
page-first-run = Tervetuloa Waybilliin
page-first-run-why = Olet täällä ensimmäinen: ylläpidät tätä palvelinta ja ensimmäistä tiimiäsi.
page-team-name = Tiimin nimi
page-team-domain = Tiimin verkkotunnus, esimerkiksi shop.example.com
page-begin = Aloita
page-welcome-done = Olet tiimissä { $team }
page-welcome-next = Olet kirjautunut sisään tällä selaimella. Tiimin ylläpitäjä luo tunnuksia ohjelmille.
page-welcome-docs = Lue, miten ohjelmat käyttävät tätä palvelinta
wrong-current-password = ei ole nykyinen salasana
password-is-email = ei saa olla sähköpostiosoite

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Kaikki, minkä käyttäjän rooli sallii
    [teams-read] Lukea tiimejä ja niiden asetuksia
    [teams-write] Muuttaa tiimin asetuksia
    [service-points-read] Hakea noutopisteitä
    [carriers-read] Lukea kuljetusliikkeiden luetteloa
    [routes-read] Lukea kuljetusliikkeitä ja palveluja, joita tiimi voi varata
    [delivery-options-read] Hakea toimitustapoja lähetykselle
    [shipments-read] Lukea lähetyksiä
    [shipments-write] Varata, peruuttaa ja poistaa lähetyksiä
    [tracking-read] Lukea seurantatietoja
    [booking-batches-read] Lukea varauserät
    [booking-batches-write] Luoda, täyttää, käynnistää ja pysäyttää varauseriä
    [shipment-templates-read] Lukea lähetysmallit
    [shipment-templates-write] Luoda, korvata ja poistaa lähetysmalleja
    [documents-read] Lukea asiakirjoja, lähetysluetteloita ja raportteja
    [documents-write] Luoda lähetysluetteloita ja raportteja
    [printers-read] Lukea tulostimia
    [printers-write] Lisätä, muuttaa ja poistaa tulostimia
    [print-jobs-read] Lukea tulostustöitä
    [print-jobs-write] Tulostaa asiakirjoja
    [webhooks-read] Lukea webhookeja ja niiden toimituksia
    [webhooks-write] Lisätä, muuttaa, testata ja poistaa webhookeja
    [carrier-accounts-read] Lukea kuljetusliikkeiden tilit
    [carrier-accounts-write] Lisätä, muuttaa ja poistaa kuljetusliikkeiden tilejä
    [wms-read] Lukea varaston tietoja
    [wms-write] Muuttaa varaston tietoja
    [members-read] Lukea, ketkä kuuluvat tiimiin
    [members-write] Muuttaa jäsenten rooleja ja poistaa jäseniä
    [tokens-read] Lukea, millä tunnuksilla ja sovelluksilla on pääsy tiimiin
    [tokens-write] Luoda ja kumota tunnuksia ja lopettaa sovellusten pääsy
    [logs-read] Lukea tiimin lokeja ja tapahtumia
    [stats-read] Lukea tiimin lukuja
    [operator-read] Lukea asennuksen voinnista
    [operator-write] Lisätä tiimejä asennukseen
   *[other] { $scope }
}

# Jäsenet, kutsut ja tunnukset
last-admin = Tämä jäsen on tiimin ainoa ylläpitäjä, ja tiimillä on oltava ylläpitäjä. Tee ensin toisesta jäsenestä ylläpitäjä.
last-admin-of = Olet ainoa ylläpitäjä näissä: { $teams }. Tiimillä on oltava ylläpitäjä. Tee ensin toisesta jäsenestä ylläpitäjä tai poista tiimi.
not-the-domain = ei ole tiimin verkkotunnus { $domain }; anna se, jotta mitään tiimiä ei poisteta vahingossa
team-is-booking = Tiimiä ei voi poistaa, kun sen lähetyksen tai erän käsittely on kesken: { $ids }. Yritä uudelleen, kun käsittely on valmis.
team-is-printing = Tiimiä ei voi poistaa, kun sillä on keskeneräisiä tulostustöitä: { $ids }. Yritä uudelleen, kun ne ovat valmiit.
member-already = on jo tiimissä olevan jäsenen osoite
invitation-accepted = Kutsu on hyväksytty. Poista sen sijaan jäsen.
token-of-another = Tämä tunnus kelpaa käyttäjänsä kaikissa tiimeissä, joten vain käyttäjä itse voi kumota sen.
token-too-long = saa olla enintään viiden vuoden päässä
token-outlives-yours = ei saa olla oman tunnuksesi päättymistä myöhempi eikä puuttua
role-not-yours = on enemmän kuin oma tunnuksesi sallii; ylläpitäjä saa tehdä kaiken
scope-not-yours = on oikeus, joka omalta tunnukseltasi puuttuu; käytä tunnusta, jolla se on
scope-not-of-a-team = on vain palvelimen ylläpitäjille; tiimin tunnuksella sitä ei voi olla
not-in-the-future = saa olla vain tulevaisuudessa
quota-invitations = Tiimillä on { $max } avointa kutsua, ja se on raja. Kumoa tarpeeton kutsu tai pyydä palvelimen ylläpitäjältä suurempaa rajaa.
quota-name-invitations = Avoimet kutsut
quota-oauth-clients = Tiimillä on { $max } OAuth-asiakasta, ja se on raja. Poista tarpeeton tai pyydä palvelimen ylläpitäjältä suurempaa rajaa.
quota-name-oauth-clients = OAuth-asiakkaat
# PostNord and GLS
addon-not-on-route = ei ole kuljetusliikkeen tarjonnassa tällä reitillä
addon-excludes = ei ole yhdistettävissä lisäpalveluun { $addon }
addon-excludes-dangerous-goods = ei ole yhdistettävissä vaarallisiin aineisiin
account-option-missing = edellyttää kuljetusliikkeen tilin asetusta { $option }
identifier-required = ei sisällä mitään näistä: { $fields }

# DAO, Budbee and Bring
insurance-currency = saa vakuuttaa vain näissä valuutoissa: { $choices }
insurance-too-high = saa vakuuttaa enintään arvosta: { $max }
address-lines-too-long = saa sisältää ensimmäisen rivin jälkeen yhteensä enintään { $max } merkkiä

# Varasto
wms-space-at-end = ei saa alkaa tai päättyä välilyöntiin
wms-mixed-length-units = ei saa poiketa tuotteen muista pituusyksiköistä; käytetyt yksiköt: { $units }
wms-delta-zero = ei saa olla 0
wms-own-items = ei saa olla mukana: paketin sisältö tulee riveiltä ja luettelosta
wms-no-such-parcel = ei ole lähetyksen paketin paikka; paketteja on { $count }, ja niiden laskeminen alkaa nollasta
wms-empty-parcel = on tyhjä: mikään riveistä ei kuulu tähän pakettiin
wms-item-field = tarkoittaa luettelon tuotetta, jonka { $field } { $problem }
wms-unknown-sku = ei ole minkään luettelon tuotteen SKU
wms-sku-taken = on jo luettelon tuotteen SKU
wms-too-few = Tästä paikasta voi ottaa vain { $available }: muita ei ole tai ne on pidätetty.
wms-too-many = Tässä paikassa on jo { $on_hand }, ja paikkaan mahtuu enintään { $max }.
wms-item-in-stock = Tuotetta ei voi ottaa pois luettelosta: sitä on varastossa { $on_hand } kappaletta.
wms-item-wanted = Tuotetta ei voi ottaa pois luettelosta: avoinna oleva keräilymääräys tarvitsee sitä.
wms-is-received = Keräilymääräys on vastaanotettu eikä sillä ole vielä tavaraa, joten tätä ei voi nyt tehdä.
wms-is-allocated = Keräilymääräyksen tavarat on osoitettu, joten tätä ei voi nyt tehdä.
wms-is-backordered = Keräilymääräys on jälkitoimituksessa eikä sillä ole tavaraa, joten tätä ei voi nyt tehdä.
wms-is-picking = Keräilymääräystä kerätään, joten tätä ei voi nyt tehdä.
wms-is-packed = Keräilymääräys on pakattu, joten tätä ei voi enää tehdä.
wms-is-shipped = Keräilymääräys on lähetetty, joten tätä ei voi enää tehdä.
wms-is-cancelled = Keräilymääräys on peruutettu, joten tätä ei voi enää tehdä.
wms-too-scattered = Kappaleet ovat yli { $max } paikassa. Siirrä niitä yhteen tai tee kaksi keräilymääräystä.
wms-shipment-under-way = Tämän pakatun keräilymääräyksen lähetystä varataan parhaillaan. Odota, kunnes se on valmis.
wms-shipment-held = Tämän pakatun keräilymääräyksen lähetys on tai saattaa olla kuljetusliikkeellä. Selvitä se ensin: hae sen asiakirjat uudelleen tai peruuta se.
wms-nothing-to-pick = Keräilymääräykselle ei ole osoitettu tavaraa, joten kerättävää ei ole.
