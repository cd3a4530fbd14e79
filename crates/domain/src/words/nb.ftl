# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = må fylles ut
not-an-object = må være et objekt
not-a-list = må være en liste
not-text = må være en tekststreng
not-a-number = må være et tall
not-an-integer = må være et heltall
not-a-boolean = må være true eller false
not-a-uuid = må være en UUID, f.eks. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = må være dato og klokkeslett med UTC-forskyvning, f.eks. 2026-11-20T17:00:00+01:00
not-a-date = må være en dato, f.eks. 2026-11-20
not-one-of = må være en av følgende verdier: { $choices }
not-a-currency = må være en ISO 4217-valutakode, f.eks. DKK
not-money = er ikke penger som det betales med i dag; bruk en valutakode som NOK
not-a-country = må være en ISO 3166-landkode med to store bokstaver, f.eks. DK
not-a-language = må være en av språkkodene en, da, sv, nb, fi, de
not-an-email = må være en e-postadresse
not-a-phone = må være et telefonnummer, f.eks. +4530274735
unknown-field = er ikke et kjent felt
unknown-field-near = er ikke et kjent felt; mente du { $near }?
fixed-field = kan ikke endres
duplicate-field = forekommer to ganger i samme objekt
duplicate-value = forekommer to ganger i listen
blank = kan ikke være tomt
too-long = { $max ->
    [one] kan ikke inneholde mer enn { $max } tegn
   *[other] kan ikke inneholde mer enn { $max } tegn
}
too-short = { $min ->
    [one] må inneholde minst { $min } tegn
   *[other] må inneholde minst { $min } tegn
}
control-character = kan ikke inneholde kontrolltegn
too-few = { $min ->
    [one] må ha minst { $min } element
   *[other] må ha minst { $min } elementer
}
too-many = { $max ->
    [one] kan ikke ha mer enn { $max } element
   *[other] kan ikke ha mer enn { $max } elementer
}
not-positive = må være større enn 0
too-large = kan ikke være større enn { $max }
too-small = må være minst { $min }
too-many-decimals = kan ikke ha mer enn 3 desimaler
unit-missing = må fylles ut fordi { $path } har en verdi
unknown-printer = er ikke en av teamets skrivere

# What is wrong with a body as a whole.
body-not-json = er ikke gyldig JSON (byte { $offset })
body-not-object = må være et JSON-objekt
body-too-deep = har for mange nøstede nivåer
body-missing = må være et JSON-objekt, men forespørselen har ikke noe innhold

# What is wrong with a query parameter or header.
unknown-parameter = er ikke en kjent parameter
unknown-parameter-near = er ikke en kjent parameter; mente du { $near }?
duplicate-parameter = er oppgitt to ganger
bad-cursor = er ikke en gyldig markør for denne listen
bad-idempotency-key = må være på 16 til 128 tegn og kan bare inneholde A-Z, a-z, 0-9, punktum, understrek og bindestrek
idempotency-key-reused = er allerede brukt i en forespørsel med et annet innhold

# Whole answers.
invalid = Forespørselen er ugyldig.
invalid-at = Forespørselen er ugyldig: { $path } { $problem }
unauthenticated = Send et gyldig tilgangstoken som "Authorization: Bearer …".
token-malformed = Dette er ikke et tilgangstoken fra oss: Kontrollsifrene stemmer ikke. Ble hele tokenet kopiert?
forbidden-scope = Tokenet mangler scopet { $scope }.
forbidden-role = Bare teamets administratorer kan gjøre dette.
not-found = Det finnes ingenting her for dette teamet.
unknown-path = Stien finnes ikke. API-et er beskrevet på /docs.
method-not-allowed = Metoden { $method } er ikke tillatt her. Tillatte metoder: { $allowed }.
conflict-version = Ressursen er endret siden du leste den. Les den på nytt og gjenta endringen.
conflict-in-progress = En forespørsel med denne Idempotency-Key er fortsatt under behandling.
too-many-requests = Grensen for antall forespørsler er nådd. Prøv igjen om { $seconds ->
    [one] { $seconds } sekund
   *[other] { $seconds } sekunder
}.
payload-too-large = Innholdet i forespørselen er større enn { $max } byte.
unsupported-media-type = Send innholdet som application/json uten komprimering.
bad-request = Forespørselen kunne ikke leses.
request-timeout = Det tok for lang tid å motta forespørselen.
internal = Noe gikk galt hos oss. Oppgi Request-ID { $id } når du kontakter oss.
unavailable = Tjenesten kan ikke svare akkurat nå. Prøv igjen om litt.
not-implemented = Denne operasjonen er en del av API-kontrakten, men finnes ennå ikke i denne versjonen.

# What is wrong with a shipment.
not-an-hs-code = må være et tolltariffnummer (HS-kode) på 6 til 10 sifre
not-a-un-number = må være UN etterfulgt av fire sifre, f.eks. UN1263
not-after-start = må være senere enn start
in-the-past = kan ikke ligge i fortiden
not-after-from = må være senere enn from
mixed-currencies = må være i samme valuta i hele forsendelsen, ikke i { $units }
mixed-weight-units = må være i samme vektenhet i hele forsendelsen, ikke i { $units }
mixed-length-units = må være i samme lengdeenhet i hele forsendelsen, ikke i { $units }
net-above-gross = må være minst { $net }, fordi innholdet veier så mye
no-format = tilbyr etiketter som { $offered }, men teamet vil ha { $wanted }
no-size = tilbyr etiketter i { $offered }, men teamet vil ha { $wanted }

# What a service does not offer, or asks for.
characters-not-accepted = inneholder tegn som denne tjenesten ikke godtar: { $characters }
not-served-from = er ikke et land som denne tjenesten sender fra; den sender fra { $countries }
not-served-to = er ikke et land som denne tjenesten sender til; den sender til { $countries }
not-a-postal-code = er ikke et postnummer i { $country }; det skal se slik ut: { $example }
pickup-point-not-offered = må utelates: denne tjenesten leverer ikke til hentesteder
addon-not-offered = er ikke et tillegg til denne tjenesten; den tilbyr { $addons }
no-addon-offered = er ikke et tillegg til denne tjenesten; den har ingen tillegg
addon-required = må inneholde tillegget { $addon }
addon-without-value = må utelates: dette tillegget har ingen verdi
not-an-amount = må være et beløp i valutaens minste enhet, for eksempel { "{" }"value": 50000, "currency": "NOK"{ "}" }
addon-phone = må være tekst med et telefonnummer inkludert landkode, for eksempel "+4791234567"
addon-email = må være tekst med en e-postadresse, for eksempel "ada@example.com"
addon-age = må være en av disse tekstene: { $choices }
addon-text = { $max ->
    [one] må være tekst på høyst { $max } tegn, for eksempel "A"
   *[other] må være tekst på høyst { $max } tegn, for eksempel "I boden"
}
not-an-addon-value = må være det som tillegget ber om: tekst som "+4791234567" eller et beløp som { "{" }"value": 50000, "currency": "NOK"{ "}" }; /v2/carriers viser hvilket
required-with-addon = må fylles ut når tillegget { $addon } er valgt
dangerous-goods-not-allowed = må være tom: denne tjenesten frakter ikke farlig gods
limited-quantity-only = må være true: denne tjenesten frakter farlig gods bare i begrensede mengder
required-by-customs = må fylles ut fordi forsendelsen krysser en tollgrense

# Hva som er galt med en bestilling.
unknown-service = er ikke en tjeneste hos noen transportør; se /v2/carriers
no-account = krever en aktiv konto hos { $carrier }
no-merchant = må fylles ut fordi teamets innstillinger ikke har en avsenderadresse
no-pickup-point = må fylles ut: ingen hentested nær kunden er kjent
unknown-pickup-point = er ikke et hentested for denne tjenesten; de nærmeste er { $near }
no-such-pickup-point = er ikke et hentested for denne tjenesten
unknown-template = er ikke en av teamets maler
template-pickup-point = angir et hentested, men denne tjenesten leverer ikke til hentesteder; send delivery.pickup_point som null, eller velg en annen tjeneste
carrier-not-bookable = { $carrier } kan ikke bestilles med denne versjonen ennå
unknown-carrier = er ikke en transportør i katalogen

# Hva som ble av en bestilling.
failure-rejected = { $carrier } avviste bestillingen. Rett opplysningene og opprett en ny forsendelse.
failure-technical = Bestillingen kunne ikke fullføres. Hvis { $carrier } har godtatt den, hent dokumentene på nytt; ikke bestill igjen.
failure-deadline = { $carrier } svarte ikke i tide og har kanskje bestillingen. Ikke bestill igjen; en sen godkjenning oppdaterer denne forsendelsen.
failure-unbooked = { $carrier } kunne ikke ta imot bestillingen i tide. Ingenting ble bestilt; opprett en ny forsendelse for å prøve igjen.
not-cancellable = Bare en bestilt forsendelse kan kanselleres. Denne er { $state }.
cancel-refused = Transportøren avviste kanselleringen: { $words }
too-many-secrets = Hemmeligheten er byttet for ofte: hver gammel signerer i et døgn, og det finnes { $max } av dem. Prøv igjen senere.
no-cancelling = denne transportøren kansellerer ikke bestillinger
carrier-unclear = Transportøren ga ikke noe klart svar. Ingenting er endret; prøv igjen.
not-deletable = Denne forsendelsen kan ikke slettes: transportøren har den, har den kanskje eller blir spurt.
nothing-to-recover = Det er ingen dokumenter å hente: transportøren har ikke godtatt hele forsendelsen.
account-in-use = Det er bestilt forsendelser med denne kontoen. Sett is_active til false i stedet.
gone = Lenken er utløpt. Hent dokumentet eller forsendelsen på nytt for å få en ny.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = inneholder { $character } ({ $code }), som ikke kan skrives ut
no-room-on-paper = er for lang for papiret den skal skrives ut på
no-barcode = kan ikke skrives som strekkode
not-gs1 = må være GS1-elementer som (00)357012340000000014
document-not-drawn = kan ikke tegnes i dette formatet
document-self-check = besto ikke kontrollen etter at det var tegnet
document-barcode = har en strekkode som ikke kan leses
document-pages-png = har flere sider, og PNG rommer bare én
document-too-large = er større enn noen etikett
document-no-size = sier ikke hvor store sidene er
document-not-pdf = er ikke en PDF-fil
document-not-png = er ikke en PNG-fil
document-not-zpl = er ikke ZPL
document-zpl-command = har kommandoen { $command }, som gjør mer enn å tegne
document-encrypted = er kryptert
document-format = kan ikke lages av en transportør i dette formatet

# What is printed on labels and papers.
paper-label = Pakkeetikett
paper-return-label = Returetikett
paper-return = RETUR
paper-from = Fra
paper-to = Til
paper-date = Dato
paper-weight = Vekt
paper-reference = Referanse
paper-parcel = Pakke
paper-pickup-point = Utleveringssted
paper-page = Side { $page } av { $pages }
paper-may-open = Kan åpnes av tollmyndighetene
paper-customs-title = Tolldeklarasjon
paper-commercial-goods = Salg av varer
paper-commercial-sample = Vareprøve
paper-gift = Gave
paper-documents = Dokumenter
paper-returned-goods = Returvarer
paper-other = Annet
paper-description = Beskrivelse av innholdet
paper-quantity = Antall
paper-net-weight = Nettovekt
paper-gross-weight = Bruttovekt
paper-value = Verdi
paper-hs-code = HS-kode
paper-origin = Opprinnelse
paper-total-weight = Samlet vekt
paper-total-value = Samlet verdi
paper-postage = Porto
paper-comments = Merknader
paper-licence = Lisensnr.
paper-certificate = Sertifikatnr.
paper-customs-promise = Jeg bekrefter at opplysningene i denne deklarasjonen er riktige, og at sendingen ikke inneholder farlige gjenstander eller gjenstander som er forbudt ved lov eller etter post- eller tollregler.
paper-signature = Dato og underskrift
paper-invoice-commercial = Handelsfaktura
paper-invoice-proforma = Proformafaktura
paper-invoice-number = Fakturanr.
paper-invoice-date = Fakturadato
paper-seller = Selger
paper-buyer = Kjøper
paper-tracking = Sporingsnr.
paper-incoterm = Leveringsbetingelser
paper-reason = Årsak til eksport
paper-unit-price = Stykkpris
paper-amount = Beløp
paper-subtotal = Delsum
paper-shipping-cost = Frakt
paper-insurance = Forsikring
paper-total = Totalt
paper-not-for-payment = Verdien er kun til tollformål. Skal ikke betales.
paper-invoice-promise = Vi bekrefter at opplysningene i denne fakturaen er sanne og riktige.
paper-packing-list = Pakkliste
paper-sku = Varenr.
paper-manifest = Manifest
paper-carrier = Transportør
paper-shipments = Forsendelser
paper-parcels = Pakker
paper-receiver = Mottaker
paper-destination = Destinasjon
paper-service = Tjeneste
paper-handed-over = Overlevert
paper-received = Mottatt av sjåføren
paper-qr = Innleveringskode
paper-qr-how = Vis denne koden der du leverer inn pakken. Etiketten skrives ut der.
paper-valid-until = Gyldig til
paper-report = Rapport
paper-period = Periode
report-created = Opprettet
report-state = Status
report-identifier = Identifikator
report-country = Land
report-postal-code = Postnummer
report-city = Sted
report-booked-at = Booket
report-currency = Valuta
report-by-day = Forsendelser per dag
report-by-service = Forsendelser per tjeneste
report-by-country = Forsendelser per land
report-shipments = Forsendelser
state-pending = Venter
state-processing = Pågår
state-booked = Booket
state-failed = Mislykket
state-cancelled = Kansellert
report-other = Øvrige
report-failed = Rapporten kunne ikke lages.
period-too-long = dekker mer enn { $max } dager
nothing-to-manifest = Det er ingenting å sette på et manifest: alle bookede forsendelser hos transportøren er allerede på et.
manifest-raced = En forsendelse ble kansellert eller satt på et annet manifest i mellomtiden. Prøv igjen.
not-for-manifest = er ikke en booket forsendelse hos denne transportøren
on-a-manifest = er allerede på et manifest

# Hva som er galt med en webhook.
url-malformed = må være en vanlig adresse som https://shop.example.com/hooks
url-not-https = må begynne med https://
url-port = må bruke port 443 eller en port fra 1024 og oppover
url-not-public = må være en offentlig adresse
not-in-the-past = kan ikke ligge i fremtiden
webhook-not-active = Denne webhooken er ikke aktiv. Sett først is_active til true.
webhook-gone = Mottakeren svarte 410 Gone.
webhook-failing = Alle leveringer mislyktes i 5 dager.
attempt-not-allowed = Adressen er ikke offentlig eller ikke tillatt.
attempt-no-address = Navnet kunne ikke slås opp.
attempt-no-connection = Det kunne ikke opprettes forbindelse.
attempt-no-tls = Det kunne ikke opprettes en sikker forbindelse.
attempt-too-slow = Ikke noe svar innen 15 sekunder.
attempt-broken = Forbindelsen ble brutt, eller svaret var ikke HTTP.

# Batches
batch-stopped = En batch som er stoppet, kan ikke startes igjen.
batch-empty = Denne batchen er tom: legg til forsendelser før du starter den.
batch-not-started = Denne batchen er ikke startet: det er ingenting å stoppe.
batch-completed = Denne batchen er ferdig: det er ingenting å stoppe.
batch-not-open = Forsendelser kan bare legges til i en åpen batch.
batch-started = Forsendelsens batch er startet: forsendelsene i den kan ikke slettes enkeltvis. Stopp batchen i stedet.
# Where a parcel is.
tracking-info-received = Transportøren har fått beskjed om pakken.
tracking-collected = Pakken er hentet.
tracking-in-transit = Pakken er underveis.
tracking-at-terminal = Pakken er kommet til en terminal.
tracking-in-customs = Pakken er hos tollen.
tracking-out-for-delivery = Pakken er ute til levering.
tracking-available = Pakken kan hentes.
tracking-attempt-failed = Pakken kunne ikke leveres: ingen tok imot den.
tracking-delivered = Pakken er levert.
tracking-delayed = Pakken er forsinket.
tracking-exception = Noe har gått galt med pakken.
tracking-returning = Pakken er på vei tilbake til avsenderen.
tracking-returned = Pakken er tilbake hos avsenderen.
tracking-expired = Det er ikke hørt noe om pakken på 30 dager.
tracking-estimate-changed = Forventet leveringstid er endret.
tracking-ambiguous = Flere sporinger har dette nummeret. Oppgi carrier_code eller shipment_uuid.
feed-expired = Denne posisjonen i strømmen er utløpt. Les sporingene på nytt, og begynn uten cursor.
callback-unreadable = er ikke en melding fra denne transportøren
report-trackings = Sporinger
report-trackings-by-day = Sporinger per dag
report-trackings-by-state = Sporinger per tilstand
report-trackings-by-service = Sporinger per tjeneste
report-expected = Ventes senest
report-delivered-at = Levert
report-returned-at = Returnert
report-last-event = Siste hendelse
report-last-heard = Sist hørt om
tracking-state-pending = Venter
tracking-state-info-received = Meldt
tracking-state-in-transit = Underveis
tracking-state-out-for-delivery = Ute til levering
tracking-state-available = Klar til henting
tracking-state-attempt-fail = Leveringsforsøk mislyktes
tracking-state-delivered = Levert
tracking-state-exception = Avvik
tracking-state-returned = Returnert
tracking-state-expired = Utløpt
report-not-available = finnes ikke i denne versjonen: bare forsendelser og sporinger kan rapporteres
# Service points and rates.
not-a-clock-time = må være et klokkeslett som 07:30
not-opening-hours = må være åpningstider som mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = må være et land som NO, eller et land med begynnelsen av et postnummer som NO:9
not-heavier = må være tyngre enn from_weight
overlapping-rates = overlapper rad { $row } for samme tjeneste og sone
not-bounds = må være fire tall: minLat,minLng,maxLat,maxLng, de minste først
not-degrees = må være et antall grader fra -{ $max } til { $max }
# Files
no-such-range = Filen har { $size } byte.
