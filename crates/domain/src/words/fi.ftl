# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
# The path is not inflected: only predicates that take a nominative subject fit (not "on oltava", "täytyy olla").
required = on pakollinen
not-an-object = ei ole objekti
not-a-list = ei ole lista
not-text = ei ole merkkijono
not-a-number = ei ole luku
not-an-integer = ei ole kokonaisluku
not-a-boolean = saa olla vain true tai false
not-a-uuid = ei ole kelvollinen UUID (esim. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b)
not-a-time = ei ole kelvollinen päivämäärä ja kellonaika UTC-siirtymineen (esim. 2026-11-20T17:00:00+01:00)
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
fixed-field = ei voi muuttaa
duplicate-field = esiintyy kahdesti samassa objektissa
duplicate-value = esiintyy listassa kahdesti
blank = ei saa olla tyhjä
too-long = { $max ->
    [one] saa olla enintään { $max } merkin pituinen
   *[other] saa olla enintään { $max } merkkiä pitkä
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
not-positive = ei saa olla 0 tai sitä pienempi
too-large = saa olla enintään { $max }
too-small = ei saa olla pienempi kuin { $min }
too-many-decimals = saa sisältää enintään 3 desimaalia
unit-missing = on pakollinen, koska kentällä { $path } on arvo
unknown-printer = ei ole tämän tiimin tulostin

# What is wrong with a body as a whole.
body-not-json = ei ole kelvollista JSON-muotoa (tavu { $offset })
body-not-object = ei ole JSON-objekti
body-too-deep = sisältää liian monta sisäkkäistä tasoa
body-missing = puuttuu; pyynnön rungon on oltava JSON-objekti

# What is wrong with a query parameter or header.
unknown-parameter = ei ole tunnettu parametri
unknown-parameter-near = ei ole tunnettu parametri; tarkoititko parametria { $near }?
duplicate-parameter = on annettu kahdesti
bad-cursor = ei ole tämän listan kursori
bad-idempotency-key = saa sisältää vain merkkejä A-Z, a-z, 0-9, pisteitä, alaviivoja ja yhdysmerkkejä, ja sen on oltava 16–128 merkkiä pitkä
idempotency-key-reused = on jo käytetty pyynnössä, jossa oli eri runko

# Whole answers.
invalid = Pyyntö on virheellinen.
invalid-at = Pyyntö on virheellinen: { $path } { $problem }
unauthenticated = Lähetä kelvollinen käyttöoikeustunnus muodossa "Authorization: Bearer …".
token-malformed = Tämä ei ole myöntämämme käyttöoikeustunnus: sen tarkistusnumerot eivät täsmää. Kopioitiinko se kokonaan?
forbidden-scope = Käyttöoikeustunnukselta puuttuu scope { $scope }.
forbidden-role = Vain tiimin ylläpitäjä voi tehdä tämän.
not-found = Täällä ei ole mitään tälle tiimille.
unknown-path = Tällaista polkua ei ole. API on kuvattu osoitteessa /docs.
method-not-allowed = Metodi { $method } ei ole sallittu tässä. Sallitut metodit: { $allowed }.
conflict-version = Resurssi on muuttunut sen jälkeen, kun luit sen. Lue se uudelleen ja toista muutos.
conflict-in-progress = Samalla Idempotency-Key-arvolla lähetettyä pyyntöä käsitellään yhä.
too-many-requests = Pyyntöjen enimmäismäärä on saavutettu. Yritä uudelleen { $seconds ->
    [one] { $seconds } sekunnin
   *[other] { $seconds } sekunnin
} kuluttua.
payload-too-large = Pyynnön runko on suurempi kuin { $max } tavua.
unsupported-media-type = Lähetä pyynnön runko pakkaamattomana muodossa application/json.
bad-request = Pyyntöä ei voitu lukea.
request-timeout = Pyynnön vastaanottaminen kesti liian kauan.
internal = Palvelussamme tapahtui virhe. Ilmoita meille Request-ID { $id }.
unavailable = Palvelu ei voi vastata juuri nyt. Yritä hetken kuluttua uudelleen.
not-implemented = Tämä toiminto kuuluu API-kuvaukseen, mutta sitä ei vielä ole tässä versiossa.

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
no-format = tarjoaa osoitelaput muodossa { $offered }, mutta tiimi haluaa muodon { $wanted }
no-size = tarjoaa osoitelaput koossa { $offered }, mutta tiimi haluaa koon { $wanted }

# What a service does not offer, or asks for.
characters-not-accepted = sisältää merkkejä, joita tämä palvelu ei hyväksy: { $characters }
not-served-from = ei ole maa, josta tämä palvelu lähettää; lähtömaat: { $countries }
not-served-to = ei ole maa, johon tämä palvelu toimittaa; kohdemaat: { $countries }
not-a-postal-code = ei ole kelvollinen postinumero maassa { $country } (esim. { $example })
pickup-point-not-offered = ei ole sallittu: tämä palvelu ei toimita noutopisteisiin
addon-not-offered = ei ole tämän palvelun lisäpalvelu; saatavilla ovat { $addons }
no-addon-offered = ei ole tämän palvelun lisäpalvelu; lisäpalveluja ei ole
addon-required = ei sisällä pakollista lisäpalvelua { $addon }
addon-without-value = ei ole sallittu: tällä lisäpalvelulla ei ole arvoa
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
required-by-customs = on pakollinen, koska lähetys ylittää tullirajan

# Mikä varauksessa on vialla.
unknown-service = ei ole minkään kuljetusliikkeen palvelu; ks. /v2/carriers
no-account = edellyttää voimassa olevaa tiliä: { $carrier }
no-merchant = on pakollinen, koska tiimin asetuksissa ei ole lähettäjän osoitetta
no-pickup-point = on pakollinen: asiakkaan lähellä ei tunneta noutopistettä
unknown-pickup-point = ei ole tämän palvelun noutopiste; lähimmät ovat { $near }
no-such-pickup-point = ei ole tämän palvelun noutopiste
unknown-template = ei ole tämän tiimin malli
template-pickup-point = sisältää noutopisteen, mutta tämä palvelu ei toimita noutopisteisiin; lähetä delivery.pickup_point arvolla null tai valitse toinen palvelu
carrier-not-bookable = { $carrier } ei ole vielä varattavissa tällä versiolla
unknown-carrier = ei ole luettelon kuljetusliike

# Mitä varaukselle tapahtui.
failure-rejected = { $carrier } hylkäsi varauksen. Korjaa tiedot ja luo uusi lähetys.
failure-technical = Varausta ei voitu viimeistellä. Jos { $carrier } on hyväksynyt sen, hae asiakirjat uudelleen; älä varaa uudestaan.
failure-deadline = { $carrier } ei vastannut ajoissa, joten varaus voi olla voimassa. Älä varaa uudestaan; myöhäinen hyväksyntä päivittää tämän lähetyksen.
failure-unbooked = { $carrier } ei voinut ottaa varausta vastaan ajoissa. Mitään ei varattu; luo uusi lähetys ja yritä uudelleen.
not-cancellable = Vain varattu lähetys voidaan peruuttaa. Tämän tila on { $state }.
cancel-refused = Kuljetusliike kieltäytyi peruuttamasta: { $words }
too-many-secrets = Salaisuutta on vaihdettu liian usein: jokainen vanha allekirjoittaa vuorokauden, ja niitä on { $max }. Yritä myöhemmin uudelleen.
no-cancelling = tämä kuljetusliike ei peruuta varauksia
carrier-unclear = Kuljetusliike ei antanut selvää vastausta. Mitään ei muutettu; yritä uudelleen.
not-deletable = Lähetystä ei voi poistaa: se on tai saattaa olla kuljetusliikkeellä, tai asiaa kysytään parhaillaan.
nothing-to-recover = Haettavia asiakirjoja ei ole: kuljetusliike ei ole hyväksynyt koko lähetystä.
account-in-use = Tällä tilillä on varattu lähetyksiä. Aseta sen sijaan is_active arvoon false.
gone = Linkki on vanhentunut. Hae asiakirja tai sen lähetys uudelleen saadaksesi uuden.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = sisältää merkin { $character } ({ $code }), jota ei voi tulostaa
no-room-on-paper = on liian pitkä paperille, jolle se tulostetaan
no-barcode = ei sovi viivakoodiksi
not-gs1 = on oltava GS1-tietoja, kuten (00)357012340000000014
document-not-drawn = ei voi piirtää tässä muodossa
document-self-check = ei läpäissyt tarkistusta piirtämisen jälkeen
document-barcode = sisältää viivakoodin, jota ei voi lukea
document-pages-png = sisältää useita sivuja, ja PNG:hen mahtuu vain yksi
document-too-large = on suurempi kuin mikään osoitelappu
document-no-size = ei kerro sivujensa kokoa
document-not-pdf = ei ole PDF-tiedosto
document-not-png = ei ole PNG-tiedosto
document-not-zpl = ei ole ZPL:ää
document-zpl-command = sisältää komennon { $command }, joka tekee muutakin kuin piirtää
document-encrypted = on salattu
document-format = ei voi olla kuljettajan tekemä tässä muodossa

# What is printed on labels and papers.
paper-label = Pakettikortti
paper-return-label = Palautuskortti
paper-return = PALAUTUS
paper-from = Lähettäjä
paper-to = Vastaanottaja
paper-date = Päivä
paper-weight = Paino
paper-reference = Viite
paper-parcel = Paketti
paper-pickup-point = Noutopiste
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
paper-signature = Päivä ja allekirjoitus
paper-invoice-commercial = Kauppalasku
paper-invoice-proforma = Proformalasku
paper-invoice-number = Laskun nro
paper-invoice-date = Laskun päivä
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
paper-not-for-payment = Arvo vain tullausta varten. Ei makseta.
paper-invoice-promise = Vakuutamme, että tämän laskun tiedot ovat todet ja oikeat.
paper-packing-list = Pakkausluettelo
paper-sku = Tuotenro
paper-manifest = Lähetysluettelo
paper-carrier = Kuljettaja
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
report-currency = Valuutta
report-by-day = Lähetykset päivittäin
report-by-service = Lähetykset palveluittain
report-by-country = Lähetykset maittain
report-shipments = Lähetykset
state-pending = Odottaa
state-processing = Käsittelyssä
state-booked = Varattu
state-failed = Epäonnistunut
state-cancelled = Peruttu
report-other = Muut
report-failed = Raporttia ei voitu tehdä.
period-too-long = kattaa yli { $max } päivää
nothing-to-manifest = Luettelolle ei ole mitään lisättävää: kaikki kuljetusliikkeen varatut lähetykset ovat jo luettelolla.
manifest-raced = Lähetys peruttiin tai lisättiin toiselle luettelolle sillä välin. Yritä uudelleen.
not-for-manifest = ei ole tämän kuljetusliikkeen varattu lähetys
on-a-manifest = on jo luettelolla

# Mikä webhookissa on vialla.
url-malformed = on oltava tavallinen osoite, kuten https://shop.example.com/hooks
url-not-https = on alettava merkeillä https://
url-port = on käytettävä porttia 443 tai porttia 1024:stä ylöspäin
url-not-public = on oltava julkinen osoite
not-in-the-past = ei saa olla tulevaisuudessa
webhook-not-active = Tämä webhook ei ole käytössä. Aseta ensin is_active arvoon true.
webhook-gone = Vastaanottaja vastasi 410 Gone.
webhook-failing = Kaikki toimitukset epäonnistuivat 5 päivän ajan.
attempt-not-allowed = Osoite ei ole julkinen tai sallittu.
attempt-no-address = Nimeä ei voitu selvittää.
attempt-no-connection = Yhteyttä ei voitu muodostaa.
attempt-no-tls = Suojattua yhteyttä ei voitu muodostaa.
attempt-too-slow = Ei vastausta 15 sekunnissa.
attempt-broken = Yhteys katkesi, tai vastaus ei ollut HTTP:tä.

# Batches
batch-stopped = Pysäytettyä erää ei voi käynnistää uudelleen.
batch-empty = Tämä erä on tyhjä: lisää lähetyksiä ennen kuin käynnistät sen.
batch-not-started = Tätä erää ei ole käynnistetty: pysäytettävää ei ole.
batch-completed = Tämä erä on valmis: pysäytettävää ei ole.
batch-not-open = Lähetyksiä voi lisätä vain avoimeen erään.
batch-started = Lähetyksen erä on käynnistetty: sen lähetyksiä ei voi poistaa yksitellen. Pysäytä erä sen sijaan.
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
tracking-exception = Paketin kanssa on jotain vialla.
tracking-returning = Paketti on matkalla takaisin lähettäjälle.
tracking-returned = Paketti on palautunut lähettäjälle.
tracking-expired = Paketista ei ole kuultu mitään 30 päivään.
tracking-estimate-changed = Arvioitu toimitusaika on muuttunut.
tracking-ambiguous = Usealla seurannalla on tämä numero. Anna carrier_code tai shipment_uuid.
feed-expired = Tämä syötteen kohta on vanhentunut. Lue seurannat uudelleen ja aloita ilman cursoria.
callback-unreadable = ei ole tämän kuljetusliikkeen viesti
report-trackings = Seurannat
report-trackings-by-day = Seurannat päivittäin
report-trackings-by-state = Seurannat tiloittain
report-trackings-by-service = Seurannat palveluittain
report-expected = Odotetaan viimeistään
report-delivered-at = Toimitettu
report-returned-at = Palautettu
report-last-event = Viimeisin tapahtuma
report-last-heard = Viimeksi kuultu
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
report-not-available = ei ole saatavilla tässä versiossa: vain lähetyksistä ja seurannoista voi tehdä raportin
# Service points and rates.
not-a-clock-time = on oltava kellonaika, kuten 07:30
not-opening-hours = on oltava aukioloajat, kuten mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = on oltava maa, kuten NO, tai maa ja postinumeron alku, kuten NO:9
not-heavier = on oltava painavampi kuin from_weight
overlapping-rates = menee päällekkäin saman palvelun ja vyöhykkeen rivin { $row } kanssa
not-bounds = on oltava neljä lukua: minLat,minLng,maxLat,maxLng, pienemmät ensin
not-degrees = on oltava astemäärä väliltä -{ $max } – { $max }
# Files
no-such-range = Tiedostossa on { $size } tavua.
