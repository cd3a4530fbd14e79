# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = må fylles ut
not-an-object = må være et objekt
not-a-list = må være en liste
not-text = må være en tekststreng
not-a-number = må være et tall
not-an-integer = må være et heltall
not-in-range = må være et heltall fra { $min } til { $max }
not-a-boolean = må være true eller false
not-a-uuid = må være en UUID, f.eks. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = må være dato og klokkeslett med UTC-forskyvning, f.eks. 2026-11-20T17:00:00+01:00
not-a-known-time = må være et tidspunkt fra { $min } til { $max }
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
body-too-many = har mer enn { $max } verdier
body-missing = må være et JSON-objekt, men forespørselen har ikke noe innhold

# What is wrong with a query parameter or header.
unknown-parameter = er ikke en kjent parameter
unknown-parameter-near = er ikke en kjent parameter; mente du { $near }?
duplicate-parameter = er oppgitt to ganger
bad-cursor = er ikke en gyldig markør for denne listen
bad-idempotency-key = må være på 16 til 128 tegn og kan bare inneholde A-Z, a-z, 0-9, punktum, understrek og bindestrek
idempotency-key-reused = er allerede brukt i en forespørsel med et annet innhold; bruk en ny nøkkel til en ny forespørsel

# Whole answers.
invalid = Forespørselen er ugyldig.
invalid-at = Forespørselen er ugyldig: { $path } { $problem }
unauthenticated = Send et gyldig tilgangstoken som "Authorization: Bearer …".
token-malformed = Dette tilgangstokenet er ikke utstedt av oss: kontrollsifrene stemmer ikke. Kontroller at hele tokenet ble kopiert.
not-from-carrier = Meldingen beviser ikke at den kommer fra transportøren.
forbidden-scope = Tokenet mangler rettigheten { $scope }. Bruk et token som har den.
forbidden-role = Bare en administrator for teamet kan gjøre dette.
not-found = Dette finnes ikke, eller det tilhører ikke dette teamet.
unknown-path = Stien finnes ikke. API-et er beskrevet på /docs.
method-not-allowed = Metoden { $method } er ikke tillatt her. Tillatte metoder: { $allowed }.
conflict-version = Ressursen er endret siden du leste den. Les den på nytt og gjenta endringen.
conflict-in-progress = En tidligere forespørsel om det samme er fortsatt under behandling. Prøv igjen om litt.
replayed-deleted = Det som ble laget med denne Idempotency-Key, er slettet. Bruk en annen nøkkel for å lage et nytt.
too-many-requests = Grensen for antall forespørsler er nådd. Prøv igjen om { $seconds ->
    [one] { $seconds } sekund
   *[other] { $seconds } sekunder
}.
payload-too-large = Innholdet i forespørselen er større enn { $max } byte.
chunks-too-small = Innholdet kommer i for mange små biter. Send det i større biter eller med Content-Length.
unsupported-media-type = Send innholdet som application/json uten komprimering.
bad-request = Forespørselen kunne ikke leses.
two-credentials = Forespørselen har to tilgangstokener. Send ett av dem: som bearer-token eller som api_token.
legacy-invalid = De oppgitte dataene er ugyldige.
legacy-in-progress = Forsendelsen er fortsatt under bestilling. Send den samme forespørselen igjen om noen sekunder.
request-timeout = Det tok for lang tid å motta forespørselen. Send den på nytt.
internal = Noe gikk galt hos oss. Oppgi Request-ID { $id } når du kontakter oss.
unavailable = Serveren kan ikke svare akkurat nå. Prøv igjen om litt.

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
no-format = tilbyr etiketter som { $offered }, men teamets innstillinger krever { $wanted }
legacy-no-pdf = krever en etikett som PDF-fil, og det formatet er ikke med i teamets innstillinger
legacy-no-label = har ingen etikett som PDF-fil
legacy-several-websites = må angis i stien, fordi tokenet gjelder i flere team
legacy-carrier-words = { $words }
no-size = tilbyr etiketter i { $offered }, men teamets innstillinger krever { $wanted }
not-the-first-size = må være den første av sizes eller utelates

# What a service does not offer, or asks for.
characters-not-accepted = inneholder tegn som denne tjenesten ikke godtar: { $characters }
not-served-from = er ikke et land som denne tjenesten sender fra; den sender fra { $countries }
not-served-to = er ikke et land som denne tjenesten sender til; den sender til { $countries }
not-served-within = må være et annet land: denne tjenesten sender ikke innen { $country }
not-a-postal-code = er ikke et postnummer i { $country }; det skal se slik ut: { $example }
not-an-area-code = må være delstaten eller provinsen med to store bokstaver, f.eks. NY
pickup-point-not-offered = må utelates: denne tjenesten leverer ikke til hentesteder
addon-not-offered = er ikke en tilleggstjeneste til denne tjenesten; den tilbyr { $addons }
no-addon-offered = er ikke en tilleggstjeneste til denne tjenesten; den har ingen
addon-required = må inneholde tilleggstjenesten { $addon }
addon-without-value = må utelates: denne tilleggstjenesten skal ikke ha noen verdi
not-an-amount = må være et beløp i valutaens minste enhet, for eksempel { "{" }"value": 50000, "currency": "NOK"{ "}" }
addon-phone = må være tekst med et telefonnummer inkludert landkode, for eksempel "+4791234567"
addon-email = må være tekst med en e-postadresse, for eksempel "ada@example.com"
addon-age = må være en av disse tekstene: { $choices }
addon-text = { $max ->
    [one] må være tekst på høyst { $max } tegn, for eksempel "A"
   *[other] må være tekst på høyst { $max } tegn, for eksempel "I boden"
}
not-an-addon-value = må være det som tilleggstjenesten ber om: tekst som "+4791234567" eller et beløp som { "{" }"value": 50000, "currency": "NOK"{ "}" }; /v2/carriers viser hvilket
required-with-addon = må fylles ut når tilleggstjenesten { $addon } er valgt
dangerous-goods-not-allowed = må være tomt: denne tjenesten frakter ikke farlig gods
limited-quantity-only = må være true: denne tjenesten frakter farlig gods bare i begrensede mengder
girth-too-large = er for stor: den lengste siden og to ganger de to andre kan til sammen ikke være mer enn { $max }
sides-too-long = er for stor: lengde, bredde og høyde kan til sammen ikke være mer enn { $max }
weights-too-heavy = kan til sammen ikke veie mer enn { $max }
required-by-customs = må fylles ut fordi forsendelsen krysser en tollgrense
required-from = må fylles ut fordi forsendelsen sendes fra { $country }
required-to = må fylles ut fordi forsendelsen sendes til { $country }
one-required = må fylles ut, eller ett av disse feltene: { $fields }
must-be-left-out = må utelates: denne tjenesten tar det ikke imot

# Hva som er galt med en bestilling.
unknown-service = er ikke en tjeneste hos noen transportør; se /v2/carriers
no-account = krever en aktiv konto hos { $carrier }; legg den til først
no-merchant = må fylles ut fordi teamets innstillinger ikke har en avsenderadresse
no-pickup-point = må fylles ut: det er ikke kjent noe hentested nær kunden
unknown-pickup-point = er ikke et hentested for denne tjenesten; de nærmeste er { $near }
no-such-pickup-point = er ikke et hentested for denne tjenesten
no-points-in-country = kan ikke velges: denne serveren kjenner ikke noe hentested hos { $carrier } i { $country }
unknown-template = er ikke en av teamets maler
template-pickup-point = angir et hentested, men denne tjenesten leverer ikke til hentesteder; send delivery.pickup_point som null, eller velg en annen tjeneste
template-point-unfit = angir hentestedet { $code }, som ikke hører til denne tjenesten i kundens land; send delivery.pickup_point med en annen kode, eller som null for det nærmeste
carrier-not-bookable = angir { $carrier }, som ennå ikke kan bestilles med denne versjonen
credentials-refused = ble avvist av transportøren: { $words }
not-a-time-zone = er ikke en tidssone, f.eks. Europe/Oslo
unknown-carrier = er ikke en transportør i katalogen

# Hva som ble av en bestilling.
failure-rejected = { $carrier } avviste bestillingen. Rett opplysningene og opprett en ny forsendelse.
failure-technical = Bestillingen kunne ikke fullføres. Hvis { $carrier } har godtatt den, må du hente dokumentene på nytt; ikke bestill igjen.
failure-documents = { $carrier } har bestillingen, men dokumentene kunne ikke lages. Hent dokumentene på nytt eller kanseller forsendelsen; ikke bestill igjen.
failure-documents-final = { $carrier } har bestillingen, men dokumentene kunne ikke lages, og { $carrier } gir dem ikke her igjen. Hent dem hos { $carrier } selv eller kanseller forsendelsen; ikke bestill igjen.
failure-deadline = { $carrier } svarte ikke i tide og har kanskje bestillingen. Ikke bestill igjen; en sen godkjenning oppdaterer denne forsendelsen.
failure-interrupted = Databasen ble gjenopprettet fra en kopi mens { $carrier } ble spurt, så bestillingen finnes kanskje. Ikke bestill igjen; en sen godkjenning oppdaterer denne forsendelsen.
failure-unknown = { $carrier } har kanskje bestillingen og kan ikke spørres herfra. Se der før du bestiller igjen.
failure-restored = Databasen er gjenopprettet fra en kopi. Forsendelsen ble ikke bestilt herfra, men den tapte databasen kan ha bestilt den hos { $carrier }. Se på listen hos { $carrier }, eller kjør "waybill reconcile" på serveren. Hvis den finnes der, ikke bestill igjen: bruk den eller kanseller den der. Hvis den ikke finnes der, opprett en ny forsendelse.
failure-restored-unbooked = Databasen ble gjenopprettet fra en kopi før dette ble bestilt, og { $carrier } har det ikke. Ingenting ble bestilt; opprett en ny forsendelse for å prøve igjen.
failure-unbooked = Den kunne ikke bestilles hos { $carrier } i tide. Ingenting ble bestilt; opprett en ny forsendelse for å prøve igjen.
failure-nothing-booked = Bestillingen kunne ikke fullføres, og ingenting ble bestilt hos { $carrier }. Opprett en ny forsendelse for å prøve igjen.
failure-partial = { $carrier } tok bare imot { $taken } av { $count } pakker: de som har et sporingsnummer. Ikke bestill dem igjen. Kanseller denne forsendelsen og opprett en ny, eller hent dokumentene på nytt og send disse pakkene.
failure-partial-final = { $carrier } tok bare imot { $taken } av { $count } pakker: de som har et sporingsnummer. Ikke bestill dem igjen. Dokumentene deres kunne ikke lages, og { $carrier } gir dem ikke her igjen. Kanseller denne forsendelsen og opprett en ny, eller hent dokumentene til disse pakkene hos { $carrier } selv.
failure-partial-documents = { $carrier } tok bare imot { $taken } av { $count } pakker: de som har et sporingsnummer. Ikke bestill dem igjen. Dokumentene deres er klare: send disse pakkene, eller kanseller denne forsendelsen og opprett en ny.
failure-cancelled = Bestillingen mislyktes, og det { $carrier } hadde av den, er kansellert. Opprett en ny forsendelse for å prøve igjen.
parcel-not-taken = Denne pakken ble ikke tatt imot.
note-not-sent = Den kunne ikke sendes til { $carrier }.
note-not-tried = Den ble ikke sendt til { $carrier } i tide.
note-no-answer = { $carrier } ga ikke noe svar som viser om bestillingen finnes.
note-absent = { $carrier } har ikke bestillingen.
note-no-documents = { $carrier } sendte ingen dokumenter.
note-papers = Dokumentene kunne ikke lages av det { $carrier } sendte.
note-not-kept = Dokumentene kunne ikke lagres på denne serveren.
note-restored = Databasen ble gjenopprettet fra en kopi før { $carrier } hadde tatt imot denne bestillingen herfra.
note-interrupted = Databasen ble gjenopprettet fra en kopi mens { $carrier } ble spurt.
note-no-account = Kontoen hos { $carrier } kan ikke brukes.
not-cancellable = Det er ingenting å kansellere: transportøren har ikke denne forsendelsen.
cancel-too-early = Denne forsendelsen er fortsatt under bestilling. Kanseller den når det er avsluttet.
cancel-while-documents = Transportøren har denne forsendelsen, og dokumentene lages på nytt. Kanseller den når det er avsluttet.
outcome-asked = Det er ennå ikke kjent om { $carrier } har denne forsendelsen, og vi fortsetter å spørre. Til det er kjent, kan den ikke kanselleres eller slettes, og det er ingen dokumenter. Hvis { $carrier } har den, blir den bestilt her.
outcome-unknown = { $carrier } har kanskje denne forsendelsen og kan ikke spørres herfra. Derfor kan den ikke kanselleres eller slettes her, og det er ingen dokumenter. Se på listen hos { $carrier }. Hvis den finnes der, bruk den eller kanseller den der. Hvis den ikke finnes der, noter det på serveren med "waybill reconcile --not-booked"; deretter kan forsendelsen slettes.
outcome-restored = Databasen er gjenopprettet fra en kopi. Forsendelsen ble ikke bestilt herfra, men den tapte databasen kan ha bestilt denne forsendelsen hos { $carrier }. Derfor kan den ikke kanselleres eller slettes her, og det er ingen dokumenter. Se på listen hos { $carrier }. Hvis den finnes der, bruk den eller kanseller den der. Hvis den ikke finnes der, noter det på serveren med "waybill reconcile --not-booked"; deretter kan forsendelsen slettes.
cancel-refused = Transportøren avviste kanselleringen: { $words }
too-many-secrets = Den hemmelige nøkkelen er byttet for ofte. En utbyttet nøkkel signerer i et døgn til, og høyst { $max } kan gjøre det samtidig. Prøv igjen senere.
no-cancelling = Denne transportøren kansellerer ikke bestillinger.
cancel-unclear = Transportøren har ikke bekreftet kanselleringen: forsendelsen kan være kansellert. Vi fortsetter å spørre. Les forsendelsen på adressen i Location for å se hvordan det gikk, eller kanseller den igjen.
cancel-unsettled = Transportøren er bedt om å kansellere denne forsendelsen og har ikke bekreftet det. Les forsendelsen på nytt før du ber om dokumentene.
not-deletable = Forsendelsen kan ikke slettes fordi transportøren har den eller kanskje har den. Det transportøren har, kan kanselleres.
never-begun = Denne forsendelsen ble aldri bestilt: batchen ble stoppet før det. Den blir stående i batchen som kansellert og kan ikke slettes.
cancelled-not-deletable = Denne forsendelsen var bestilt hos transportøren og er kansellert. Den beholdes og kan ikke slettes.
nothing-to-recover = Det er ingen dokumenter å hente: transportøren har ikke godtatt forsendelsen.
cancelled-no-documents = Denne forsendelsen er kansellert. Dokumentene lages ikke lenger.
account-in-use = Kontoen kan ikke slettes fordi det er bestilt forsendelser med den. Sett is_active til false i stedet.
gone = Lenken er utløpt. Hent dokumentet eller forsendelsen på nytt for å få en ny lenke.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = inneholder { $character } ({ $code }), som ikke kan skrives ut
no-room-on-paper = er for langt for papiret det skrives ut på
no-barcode = kan ikke skrives som strekkode
not-gs1 = må være GS1-elementer, f.eks. (00)357012340000000014
document-not-drawn = kan ikke tegnes i dette formatet
document-self-check = besto ikke kontrollen etter at det var tegnet
document-barcode = har en strekkode som ikke kan leses
document-pages-png = har flere sider, men en PNG-fil rommer bare én
document-too-large = er større enn noen etikett
document-no-size = angir ikke størrelsen på sidene
document-not-pdf = er ikke en PDF-fil
document-not-png = er ikke en PNG-fil
document-not-zpl = er ikke ZPL
document-zpl-command = inneholder kommandoen { $command }, som ikke er tillatt: den gjør mer enn å tegne
document-encrypted = er kryptert
document-format = kan ikke komme fra en transportør i dette formatet

# What is printed on labels and papers.
paper-shipping-label = Etikett
paper-label = Pakkeetikett
paper-return-label = Returetikett
paper-return = RETUR
paper-from = Fra
paper-to = Til
paper-date = Dato
paper-weight = Vekt
paper-reference = Referanse
paper-parcel = Pakke
paper-pickup-point = Hentested
paper-cash-on-delivery = Postoppkrav
paper-cash-with-parcel = Postoppkrav kreves inn med pakke { $number }/{ $count }
paper-minimum-age = Sjekk alder
paper-leave-at = Kan settes igjen
paper-dangerous-goods = Farlig gods
paper-limited-quantity = Begrenset mengde
paper-test-label = TESTETIKETT – skal ikke sendes
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
paper-customs-promise = Jeg bekrefter at opplysningene i denne deklarasjonen er riktige, og at forsendelsen ikke inneholder farlige gjenstander eller gjenstander som er forbudt ved lov eller etter post- eller tollregler.
paper-customs-promise-dangerous = Jeg bekrefter at opplysningene i denne deklarasjonen er riktige, og at forsendelsen ikke inneholder gjenstander som er forbudt ved lov eller etter post- eller tollregler.
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
paper-pick-list = Plukkliste
paper-packing-slip = Følgeseddel
paper-location = Plassering
paper-item = Vare
paper-number = Nummer
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
report-booked-at = Bestilt
report-price = Anslått pris
report-currency = Valuta
report-by-day = Forsendelser per dag
report-by-service = Forsendelser per tjeneste
report-by-country = Forsendelser per land
report-shipments = Forsendelser
state-pending = Venter
state-processing = Pågår
state-booked = Bestilt
state-failed = Mislykket
state-cancelled = Kansellert
report-other = Øvrige
report-failed = Rapporten kunne ikke lages. Be om den på nytt.
period-too-long = kan ikke ligge mer enn { $max } dager etter from
nothing-to-manifest = Det er ingenting å sette på et manifest: alle bestilte forsendelser hos transportøren er allerede på et.
manifest-raced = En forsendelse ble kansellert eller satt på et annet manifest i mellomtiden. Prøv igjen.
day-not-closed = Transportøren har ikke bekreftet at dagen er avsluttet. Forsendelsene forblir åpne. Prøv igjen.
day-refused = Transportøren har ikke avsluttet dagen, og forsendelsene forblir åpne. Transportøren sa: { $words }
not-for-manifest = er ikke en bestilt forsendelse hos denne transportøren
on-a-manifest = er allerede på et manifest
merge-one-way = er ett av { $names }, og nøyaktig ett av dem må angis
merge-no-types = kan ikke angis sammen med { $name }
merge-no-positions = kan bare angis sammen med { $name }
merge-last-before-first = kan ikke være mindre enn { $name }
merge-too-far = må ligge mindre enn { $max } plasser etter { $name }
merge-unknown-shipment = er ikke en av teamets forsendelser
merge-no-document = har ikke et slikt dokument
merge-unknown-batch = er ikke en av teamets batcher
merge-format = har en fil som ikke kan slås sammen; det kan bare PDF og ZPL
merge-too-large = gjør de sammenslåtte filene større enn 64 MiB
merge-objects = inneholder for mange deler til å bli slått sammen
merge-layers = har sjikt som er slått av, og som den sammenslåtte filen ville skrevet ut
nothing-to-merge = Det er ingenting å slå sammen: ingen av forsendelsene har et slikt dokument.
document-no-picture = kan ikke vises som et bilde

# Hva som er galt med en webhook.
url-malformed = må være en vanlig URL, f.eks. https://shop.example.com/hooks
url-not-https = må begynne med https://
url-port = må bruke port 443 eller en port fra 1024 og oppover
url-not-public = må føre til en offentlig adresse
not-in-the-past = kan ikke ligge i fremtiden
webhook-not-active = Denne webhooken er ikke aktiv. Sett først is_active til true.
webhook-gone = Mottakeren svarte 410 Gone.
webhook-failing = Alle leveringer mislyktes i 5 dager.
attempt-not-allowed = Adressen er ikke offentlig eller ikke tillatt.
attempt-no-address = Vertsnavnet kunne ikke slås opp.
attempt-no-connection = Mottakeren kunne ikke nås.
attempt-no-tls = Det kunne ikke opprettes en sikker forbindelse (TLS).
attempt-too-slow = Mottakeren svarte ikke innen 15 sekunder.
attempt-broken = Forbindelsen ble brutt, eller svaret var ikke HTTP.

# Batches
batch-stopped = En batch som er stoppet, kan ikke startes igjen. Opprett en ny batch.
batch-empty = Denne batchen er tom. Legg til forsendelser før du starter den.
batch-not-started = Denne batchen er ikke startet, så det er ingenting å stoppe.
batch-completed = Denne batchen er ferdig, så det er ingenting å stoppe.
batch-not-open = Forsendelser kan bare legges til i en batch som ikke er startet. Opprett en ny batch.
batch-started = Forsendelsens batch er startet, så forsendelsene i den kan ikke slettes enkeltvis. Stopp batchen i stedet.
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
tracking-ambiguous = Flere sporinger har dette nummeret. Oppgi også carrier_code eller shipment_uuid.
feed-expired = Denne posisjonen i feeden er utløpt. Les alle sporinger på nytt, og følg deretter feeden uten markør.
feed-restored = Databasen er gjenopprettet fra en kopi som ikke kjenner denne posisjonen i feeden. Les alle sporinger på nytt, og følg deretter feeden uten markør.
history-lost = Databasen er gjenopprettet fra en kopi. Det som skjedde mellom { $after } og { $until }, kan mangle her, og du kan ha sett noe av det. Les alt på nytt.
callback-unreadable = er ikke en melding fra denne transportøren
report-trackings = Sporinger
report-trackings-by-day = Sporinger per dag
report-trackings-by-state = Sporinger per status
report-trackings-by-service = Sporinger per tjeneste
report-expected = Ventes senest
report-delivered-at = Levert
report-returned-at = Returnert
report-last-event = Siste hendelse
report-last-heard = Sist oppdatert
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
report-print-jobs = Utskriftsjobber
report-print-jobs-by-day = Utskriftsjobber per dag
report-print-jobs-by-state = Utskriftsjobber per status
report-print-jobs-by-printer = Utskriftsjobber per skriver
report-document = Dokument
report-format = Format
report-printer = Skriver
report-no-printer = Ingen skriver
report-copies = Kopier
report-asked-by = Bedt om av
report-until-printed = Til utskrevet
report-failure = Feil
print-state-pending = Venter
print-state-queued = Hos skriveren
print-state-printing = Skrives ut
print-state-printed = Skrevet ut
print-state-failed = Mislykket
print-state-unknown = Ukjent
print-source-api = Forespørsel
print-source-booking = Bestilling
# Service points and rates.
not-a-clock-time = må være et klokkeslett, f.eks. 07:30
not-opening-hours = må være åpningstider, f.eks. mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = må være et land, f.eks. NO, eller et land med begynnelsen av et postnummer, f.eks. NO:9
not-heavier = må være tyngre enn from_weight
overlapping-rates = overlapper rad { $row } for samme tjeneste og sone
not-bounds = må være fire tall: minLat,minLng,maxLat,maxLng, de minste først
not-degrees = må være et antall grader fra -{ $max } til { $max }
# Files
no-such-range = Det ønskede området ligger utenfor filen, som har { $size } byte.

# What a team may have only so much of.
quota-accounts = Teamet har { $max } kontoer hos transportører, og det er grensen. Slett en konto som ikke brukes, eller be den som driver serveren, om en høyere grense.
quota-webhooks = Teamet har { $max } webhooker, og det er grensen. Slett en som ikke brukes, eller be den som driver serveren, om en høyere grense.
quota-templates = Teamet har { $max } maler, og det er grensen. Slett en som ikke brukes, eller be den som driver serveren, om en høyere grense.
quota-tokens = Brukeren har { $max } tokener, og det er grensen. Tilbakekall en som ikke brukes, eller sett en høyere grense med --quotas.
quota-batches = Teamet har { $max } batcher som ikke er ferdige, og det er grensen. Start eller stopp en av dem, og vent til den er ferdig.
quota-reports = { $max } av teamets rapporter er ikke klare ennå, og det er grensen. Vent til en av dem er klar, og prøv så igjen.
quota-streams = Det sendes { $max } strømmer til teamet, og det er grensen. Avslutt en av dem, eller les batchen uten strøm.
quota-option-bytes = kan ikke være større enn { $max } byte som JSON
quota-name-accounts = Kontoer hos transportører
quota-name-webhooks = Webhooker
quota-name-templates = Maler
quota-name-tokens = Dine tokener
quota-name-batches = Batcher som ikke er ferdige
quota-name-reports = Rapporter som ikke er klare ennå
quota-name-streams = Strømmer til teamet
quota-name-option-bytes = Byte i valgene til en konto og i påloggingsopplysningene

# Skrivere, hver etter feltets sti.
unknown-document = er ikke et av teamets dokumenter
printer-uri-scheme = må begynne med ipp:// eller ipps://
printer-uri-extra = kan ikke ha bruker, passord, spørring eller fragment
printer-uri-length = kan være høyst 1 023 byte
printer-uri-malformed = må være en vanlig adresse som ipp://192.168.10.21/ipp/print
printer-uri-port = må bruke port 443, 631 eller en port fra 1024 og oppover
printer-uri-of-agent = kan ikke endres: en utskriftsagent når denne skriveren
printer-known = er allerede skriveren «{ $name }»
no-print-rule = må oppgis: ingen utskriftsregel passer til denne filen ({ $file })
printer-cannot-take = tar ikke { $format }; den tar: { $known }
printer-copies-max = kan være høyst { $max }: skriveren lager ikke flere kopier av { $format }
print-file-too-large = er større enn { $max } MiB, og mer sendes ikke til en skriver
copies-too-large = er for mange: til sammen er de større enn { $max } MiB, og mer sendes ikke til en skriver

# Utskriftsjobber.
printer-full = { $max } jobber venter på denne skriveren, og det er grensen. Vent til noen er skrevet ut.
printer-has-jobs = Skriveren har jobber som ikke er ferdige, og bare dens nåværende adresse kan spørres om dem. Prøv igjen når de er det.
print-job-not-cancellable = Den kan allerede være sendt til skriveren, så den kan ikke kanselleres her.
print-no-rule = Ingen utskriftsregel passer til denne filen ({ $said }).
print-cannot-take = Skriveren tar ikke dette formatet ({ $said }).
print-takes-nothing = Skriveren tar ingen av formatene som er kjent her ({ $said }).
print-too-many-copies = Skriveren lager ikke så mange kopier (høyst { $said }).
print-too-large = Filen er med kopiene sine større enn { $said } MiB, og mer sendes ikke til en skriver.
print-refused = Skriveren avviste den: { $said }
print-expired = Den utløp: skriveren tok den ikke i tide.
print-printer-removed = Skriveren finnes ikke lenger, og ingenting ble sendt.
print-cancelled = Den ble kansellert før den ble sendt til skriveren.
print-shipment-cancelled = Forsendelsen ble kansellert før den ble sendt til skriveren.
print-file-gone = Filen er ikke lagret lenger.
print-cancelled-at-printer = Den ble kansellert på skriveren. { $said }
print-stopped-by-printer = Skriveren stoppet den. { $said }
print-forgotten = Skriveren kjenner ikke jobben lenger. Se på skriveren før du skriver den ut igjen.
print-not-proved = Skriveren sier at den er ferdig, men ikke at den hadde hele filen. Se på skriveren før du skriver den ut igjen.
print-interrupted = Forbindelsen til skriveren ble brutt mens den ble sendt. Se på skriveren før du skriver den ut igjen.
print-not-printed = Forbindelsen til skriveren ble brutt mens den ble sendt, og den ble ikke skrevet ut.
print-unreachable = Skriveren har den, men kan ikke nås. Se på skriveren før du skriver den ut igjen.
quota-printers = Teamet har { $max } skrivere, og det er grensen. Slett en som ikke trengs, eller be den som driver serveren om en høyere grense.
quota-name-printers = Skrivere
# Hva som er galt med adressen til en skriver. Hver tekst står etter feltets sti.
printer-broken = må føre til en skriver som svarer; forbindelsen ble brutt
printer-put-off = må føre til en skriver som svarer; den sa: { $said }
printer-refused = må føre til en skriver som slipper oss inn; den sa: { $said }
printer-not-allowed = må føre til et nettverk der skrivere er tillatt på denne serveren
printer-unknown-name = må ha et vertsnavn som kan slås opp
printer-no-connection = må føre til en skriver som svarer; ingen tar imot forbindelser der
printer-timed-out = må føre til en skriver som svarer; den svarte ikke i tide
printer-not-ipp = må føre til en skriver; det som svarer, snakker ikke IPP
printer-no-such-queue = må nevne en kø som skriverserveren har
printer-wants-password = må føre til en skriver som ikke krever passord
printer-wants-tls = må begynne med ipps://, fordi denne skriveren krever TLS
printer-not-trusted = må føre til en skriver med et sertifikat som denne serveren stoler på

# Utskriftsagenter.
forbidden-agent = Tokenet er en utskriftsagents, og dette er ikke for utskriftsagenter.
forbidden-client = Et program som handler for seg selv, har ingen konto: dette er for brukere.
user-deleted = Brukeren ble slettet i mellomtiden.
forbidden-app = En app kan ikke gjøre dette, for det den lager, ville gjelde lenger enn det brukeren har gått med på.
forbidden-expiring = Et token som utløper, kan ikke gjøre dette, for det det lager, utløper ikke.
forbidden-one-team = Tokenet gjelder i ett team, og dette angår brukeren i alle team. Bruk et token som ikke er bundet til et team.
registration-code-not-good = er ikke en kode som gjelder nå; be en administrator om en ny
agent-protocol = nevner ingen protokoll som denne serveren snakker; installer versjon { $version } av agenten
agent-session-over = En annen økt for denne utskriftsagenten har begynt. Dette programmet må slutte å skrive ut.
printer-reported = Utskriftsagenten melder fortsatt denne skriveren. Slett den der, eller slett utskriftsagenten.
print-agent-silent = Utskriftsagenten har den og er ikke hørt siden { $said }. Se på skriveren før du skriver den ut igjen.
print-agent-replaced = Utskriftsagenten begynte på nytt uten det den hadde lagret. Se på skriveren før du skriver den ut igjen.
print-agent-removed = Utskriftsagenten ble slettet mens den hadde den. Se på skriveren før du skriver den ut igjen.
print-agent-failed = Utskriftsagenten ga den opp. { $said }
print-agent-unsure = Utskriftsagenten vet ikke om den ble skrevet ut. Se på skriveren før du skriver den ut igjen. { $said }
print-restored = Databasen er gjenopprettet fra en kopi, og den som gikk tapt, kan ha skrevet den ut. Se på skriveren før du skriver den ut igjen.
quota-print-agents = Teamet har { $max } utskriftsagenter, og det er grensen. Slett en som ikke trengs, eller be den som driver serveren om en høyere grense.
quota-name-print-agents = Utskriftsagenter

# Sider der folk logger inn og gir en app tilgang.
page-sign-in = Logg inn
page-sign-in-for = { $app } ber deg om å logge inn.
page-email = E-postadresse
page-password = Passord
page-forgotten = Har du glemt passordet? Den som driver denne serveren, kan gi deg et nytt.
page-wrong-password = E-postadressen eller passordet er feil.
page-too-many-sign-ins = For mange innlogginger har mislyktes. Prøv igjen om { $minutes ->
    [one] { $minutes } minutt
   *[other] { $minutes } minutter
}.
page-busy = For mange logger inn akkurat nå. Prøv igjen om noen sekunder.
page-consent = Gi { $app } tilgang?
page-way-back = Etterpå sendes du til { $host }.
page-may = Dette får appen gjøre
page-signed-in = Logget inn som { $name }
page-sign-out = Logg ut
page-which-team = I hvilket team?
page-in-team = I teamet { $team }.
page-no-team = Du er ikke med i noe team, så det er ingenting å tillate. Be en administrator for et team om å legge deg til.
page-choose-team = Velg et team.
page-allow = Tillat
page-deny = Avslå
page-error = Det gikk ikke
page-refused = Skjemaet ble ikke godtatt
page-refused-why = Det er mer enn en time gammelt, eller det ble ikke laget for denne nettleseren. Gå tilbake, last inn siden på nytt og prøv en gang til. Nettleseren må godta informasjonskapsler.
page-unknown-app = Appen er ukjent
page-unknown-app-why = Appen som sendte deg hit, er ikke registrert på denne serveren. Du kan lukke siden.
page-unknown-redirect = Veien tilbake er ukjent
page-unknown-redirect-why = Adressen som du ville bli sendt til etterpå, er ikke registrert for denne appen, så du sendes ikke dit. Du kan lukke siden.
page-other-team = Du er ikke med i det teamet
page-other-team-why = Du kan bare gi tilgang til et team som du selv er med i.
page-not-a-form = Hit kan bare et skjema fra disse sidene sendes.
not-a-domain = må være et domene som shop.example.com
page-link-over = Denne lenken virker ikke
page-link-over-why = Den er brukt, erstattet eller trukket tilbake, den er for gammel, eller den ble ikke kopiert hel. Be den som ga deg den, om en ny.
page-invited = Du er invitert
page-invited-to = Inn i teamet { $team }.
page-invited-as = Du kommer inn som { $email }.
page-your-name = Navnet ditt
page-new-password = Velg et passord
page-join = Bli med i teamet
page-no-password = Kontoen din har ikke noe passord ennå
page-no-password-why = Be den som driver serveren, om å gi kontoen din et passord, og åpne lenken igjen.
page-first-run = Velkommen til Waybill
page-first-run-why = Du er den første her: du driver denne serveren og ditt første team.
page-team-name = Teamets navn
page-team-domain = Teamets domene, for eksempel shop.example.com
page-begin = Begynn
page-welcome-done = Du er i teamet { $team }
page-welcome-next = Du er logget inn i denne nettleseren. En administrator i teamet lager token for programmer.
page-welcome-docs = Les hvordan programmer kaller denne serveren
wrong-current-password = er ikke det nåværende passordet
password-is-email = kan ikke være e-postadressen

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Alt som brukerens rolle gir adgang til
    [teams-read] Se team og innstillingene deres
    [teams-write] Endre teamets innstillinger
    [service-points-read] Finne hentesteder
    [carriers-read] Se katalogen over transportører
    [routes-read] Se transportørene og tjenestene som teamet kan bestille
    [delivery-options-read] Finne leveringsmåter for en forsendelse
    [shipments-read] Se forsendelser
    [shipments-write] Bestille, kansellere og slette forsendelser
    [tracking-read] Se sporing
    [booking-batches-read] Se bestillingsbatcher
    [booking-batches-write] Opprette, fylle, starte og stoppe bestillingsbatcher
    [shipment-templates-read] Se forsendelsesmaler
    [shipment-templates-write] Opprette, erstatte og slette forsendelsesmaler
    [documents-read] Se dokumenter, manifester og rapporter
    [documents-write] Opprette manifester og rapporter
    [printers-read] Se skrivere
    [printers-write] Legge til, endre og slette skrivere
    [print-jobs-read] Se utskriftsjobber
    [print-jobs-write] Skrive ut dokumenter
    [webhooks-read] Se webhooker og det som er levert til dem
    [webhooks-write] Legge til, endre, teste og slette webhooker
    [carrier-accounts-read] Se kontoer hos transportører
    [carrier-accounts-write] Legge til, endre og slette kontoer hos transportører
    [wms-read] Se lageret
    [wms-write] Endre lageret
    [members-read] Se hvem som er med i teamet
    [members-write] Endre medlemmers roller og ta ut medlemmer
    [tokens-read] Se hvilke tokener og apper som har adgang til teamet
    [tokens-write] Opprette og tilbakekalle tokener og avslutte appers adgang
    [logs-read] Se teamets logger og hendelser
    [stats-read] Se teamets tall
    [operator-read] Se hvordan installasjonen har det
    [operator-write] Legge til team i installasjonen
   *[other] { $scope }
}

# Medlemmer, invitasjoner og tokener
last-admin = Dette medlemmet er teamets eneste administrator, og et team må ha en. Gjør først et annet medlem til administrator.
last-admin-of = Du er den eneste administratoren i { $teams }, og et team må ha en. Gjør først et annet medlem til administrator, eller slett teamet.
not-the-domain = må være domenet til teamet, { $domain }, slik at ingen team slettes ved en feil
team-is-booking = Teamet kan ikke slettes mens det arbeides med forsendelsene eller batchene: { $ids }. Prøv igjen når de er ferdige.
team-is-printing = Teamet kan ikke slettes mens det har utskriftsjobber som ikke er ferdige: { $ids }. Prøv igjen når de er det.
member-already = er adressen til noen som allerede er med i teamet
invitation-accepted = Invitasjonen er godtatt. Ta medlemmet ut av teamet i stedet.
token-of-another = Dette tokenet gjelder i alle teamene til brukeren, så bare brukeren selv kan tilbakekalle det.
token-too-long = kan ligge høyst fem år frem
token-outlives-yours = kan ikke være etter utløpet av ditt eget token og kan ikke utelates
role-not-yours = er mer enn ditt eget token gir adgang til; en administrator kan alt
scope-not-yours = er en rettighet som ditt eget token mangler; bruk et token som har den
scope-not-of-a-team = er for dem som driver serveren; tokenet til et team kan ikke ha den
not-in-the-future = må ligge i fremtiden
quota-invitations = Teamet har { $max } åpne invitasjoner, og det er grensen. Tilbakekall en som ikke trengs, eller be den som driver serveren om en høyere grense.
quota-name-invitations = Åpne invitasjoner
quota-oauth-clients = Teamet har { $max } OAuth-klienter, og det er grensen. Slett en som ikke trengs, eller be den som driver serveren om en høyere grense.
quota-name-oauth-clients = OAuth-klienter
# PostNord and GLS
addon-not-on-route = tilbys ikke av transportøren på denne ruten
addon-excludes = kan ikke kombineres med tilleggstjenesten { $addon }
addon-excludes-dangerous-goods = kan ikke kombineres med farlig gods
account-option-missing = krever innstillingen { $option } på kontoen hos transportøren
identifier-required = må ha ett av disse: { $fields }

# DAO, Budbee and Bring
insurance-currency = må forsikre i en av disse valutaene: { $choices }
insurance-too-high = kan forsikre for høyst { $max }
address-lines-too-long = kan ha høyst { $max } tegn til sammen på linjene etter den første

# Lageret
wms-space-at-end = kan ikke begynne eller slutte med et mellomrom
wms-mixed-length-units = må være i samme lengdeenhet for hele varen, ikke i { $units }
wms-delta-zero = kan ikke være 0
wms-own-items = må utelates: innholdet i en pakke kommer fra linjene og katalogen
wms-no-such-parcel = er ikke plassen til en pakke i forsendelsen, som har { $count }, talt fra 0
wms-empty-parcel = inneholder ingenting: ingen av linjene hører til i denne pakken
wms-item-field = nevner en katalogvare der { $field } { $problem }
wms-unknown-sku = er ikke SKU for en katalogvare
wms-sku-taken = er allerede SKU for en katalogvare
wms-too-few = Bare { $available } kan tas fra denne plasseringen: resten er ikke der eller er holdt av.
wms-too-many = Det er allerede { $on_hand } på denne plasseringen, og en plassering rommer høyst { $max }.
wms-item-in-stock = Varen kan ikke slettes fra katalogen: det er { $on_hand } på lager.
wms-item-wanted = Varen kan ikke slettes fra katalogen: en plukkordre som fortsatt er åpen, trenger den.
wms-is-received = Plukkordren er mottatt og har ikke fått varer ennå, så dette kan ikke gjøres nå.
wms-is-allocated = Plukkordren er tildelt, så dette kan ikke gjøres nå.
wms-is-backordered = Plukkordren er i restordre og har ikke fått varer, så dette kan ikke gjøres nå.
wms-is-picking = Plukkordren plukkes, så dette kan ikke gjøres nå.
wms-is-packed = Plukkordren er pakket, så dette kan ikke gjøres lenger.
wms-is-shipped = Plukkordren er sendt, så dette kan ikke gjøres lenger.
wms-is-cancelled = Plukkordren er kansellert, så dette kan ikke gjøres lenger.
wms-too-scattered = Varene ligger på mer enn { $max } plasser. Legg noen av dem sammen, eller opprett to plukkordrer.
wms-shipment-under-way = Forsendelsen til denne pakkede plukkordren bestilles akkurat nå. Vent til det er avsluttet.
wms-shipment-held = Transportøren har forsendelsen til denne pakkede plukkordren, eller har den kanskje. Få det avklart først: hent dokumentene på nytt, eller kanseller den.
wms-nothing-to-pick = Plukkordren har ikke fått tildelt varer, så det er ingenting å plukke.
