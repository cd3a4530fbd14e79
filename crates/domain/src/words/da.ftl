# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = skal udfyldes
not-an-object = skal være et objekt
not-a-list = skal være en liste
not-text = skal være en tekststreng
not-a-number = skal være et tal
not-an-integer = skal være et heltal
not-a-boolean = skal være true eller false
not-a-uuid = skal være et UUID, f.eks. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = skal være dato og klokkeslæt med UTC-forskydning, f.eks. 2026-11-20T17:00:00+01:00
not-a-date = skal være en dato, f.eks. 2026-11-20
not-one-of = skal være en af følgende værdier: { $choices }
not-a-currency = skal være en ISO 4217-valutakode, f.eks. DKK
not-money = er ikke penge, som man betaler med i dag; brug en valutakode som DKK
not-a-country = skal være en ISO 3166-landekode på to store bogstaver, f.eks. DK
not-a-language = skal være en af sprogkoderne en, da, sv, nb, fi, de
not-an-email = skal være en e-mailadresse
not-a-phone = skal være et telefonnummer, f.eks. +4530274735
unknown-field = er ikke et kendt felt
unknown-field-near = er ikke et kendt felt; mente du { $near }?
fixed-field = kan ikke ændres
duplicate-field = forekommer to gange i samme objekt
duplicate-value = forekommer to gange på listen
blank = må ikke være tomt
too-long = { $max ->
    [one] må højst indeholde { $max } tegn
   *[other] må højst indeholde { $max } tegn
}
too-short = { $min ->
    [one] skal indeholde mindst { $min } tegn
   *[other] skal indeholde mindst { $min } tegn
}
control-character = må ikke indeholde kontroltegn
too-few = { $min ->
    [one] skal have mindst { $min } element
   *[other] skal have mindst { $min } elementer
}
too-many = { $max ->
    [one] må højst have { $max } element
   *[other] må højst have { $max } elementer
}
not-positive = skal være større end 0
too-large = må højst være { $max }
too-small = skal være mindst { $min }
too-many-decimals = må højst have 3 decimaler
unit-missing = skal udfyldes, fordi { $path } har en værdi
unknown-printer = er ikke en af teamets printere

# What is wrong with a body as a whole.
body-not-json = er ikke gyldig JSON (byte { $offset })
body-not-object = skal være et JSON-objekt
body-too-deep = har for mange indlejrede niveauer
body-missing = skal være et JSON-objekt, men anmodningen har intet indhold

# What is wrong with a query parameter or header.
unknown-parameter = er ikke en kendt parameter
unknown-parameter-near = er ikke en kendt parameter; mente du { $near }?
duplicate-parameter = er angivet to gange
bad-cursor = er ikke en gyldig cursor for denne liste
bad-idempotency-key = skal være på 16 til 128 tegn og må kun indeholde A-Z, a-z, 0-9, punktum, understregning og bindestreg
idempotency-key-reused = er allerede brugt til en anmodning med et andet indhold

# Whole answers.
invalid = Anmodningen er ugyldig.
invalid-at = Anmodningen er ugyldig: { $path } { $problem }
unauthenticated = Send et gyldigt adgangstoken som "Authorization: Bearer …".
token-malformed = Dette er ikke et adgangstoken fra os: Kontrolcifrene stemmer ikke. Blev hele tokenet kopieret?
forbidden-scope = Tokenet mangler scopet { $scope }.
forbidden-role = Kun teamets administratorer må gøre dette.
not-found = Der findes intet her for dette team.
unknown-path = Stien findes ikke. API'et er beskrevet på /docs.
method-not-allowed = Metoden { $method } er ikke tilladt her. Tilladte metoder: { $allowed }.
conflict-version = Ressourcen er ændret, siden du læste den. Læs den igen, og gentag din ændring.
conflict-in-progress = En anmodning med denne Idempotency-Key er stadig under behandling.
too-many-requests = Grænsen for antallet af anmodninger er nået. Prøv igen om { $seconds ->
    [one] { $seconds } sekund
   *[other] { $seconds } sekunder
}.
payload-too-large = Anmodningens indhold er større end { $max } byte.
unsupported-media-type = Send indholdet som application/json uden komprimering.
bad-request = Anmodningen kunne ikke læses.
request-timeout = Det tog for lang tid at modtage anmodningen.
internal = Der opstod en fejl hos os. Oplys Request-ID { $id }, når du kontakter os.
unavailable = Tjenesten kan ikke svare i øjeblikket. Prøv igen om lidt.
not-implemented = Denne operation er en del af API-kontrakten, men findes endnu ikke i denne version.

# What is wrong with a shipment.
not-an-hs-code = skal være en toldtarifkode (HS-kode) på 6 til 10 cifre
not-a-un-number = skal være UN efterfulgt af fire cifre, f.eks. UN1263
not-after-start = skal være senere end start
in-the-past = må ikke ligge i fortiden
not-after-from = skal være senere end from
mixed-currencies = skal være i samme valuta i hele forsendelsen, ikke i { $units }
mixed-weight-units = skal være i samme vægtenhed i hele forsendelsen, ikke i { $units }
mixed-length-units = skal være i samme længdeenhed i hele forsendelsen, ikke i { $units }
net-above-gross = skal være mindst { $net }, fordi indholdet vejer så meget
no-format = tilbyder labels som { $offered }, men teamet ønsker { $wanted }
no-size = tilbyder labels i { $offered }, men teamet ønsker { $wanted }

# What a service does not offer, or asks for.
characters-not-accepted = indeholder tegn, som denne service ikke accepterer: { $characters }
not-served-from = er ikke et land, som denne service sender fra; den sender fra { $countries }
not-served-to = er ikke et land, som denne service sender til; den sender til { $countries }
not-a-postal-code = er ikke et postnummer i { $country }; det skal se ud som { $example }
pickup-point-not-offered = skal udelades: denne service leverer ikke til udleveringssteder
addon-not-offered = er ikke et tillæg til denne service; den tilbyder { $addons }
no-addon-offered = er ikke et tillæg til denne service; den har ingen tillæg
addon-required = skal indeholde tillægget { $addon }
addon-without-value = skal udelades: dette tillæg har ingen værdi
not-an-amount = skal være et beløb i valutaens mindste enhed, f.eks. { "{" }"value": 50000, "currency": "DKK"{ "}" }
addon-phone = skal være tekst med et telefonnummer inklusive landekode, f.eks. "+4530274735"
addon-email = skal være tekst med en e-mailadresse, f.eks. "ada@example.com"
addon-age = skal være en af disse tekster: { $choices }
addon-text = { $max ->
    [one] skal være tekst på højst { $max } tegn, f.eks. "A"
   *[other] skal være tekst på højst { $max } tegn, f.eks. "I skuret"
}
not-an-addon-value = skal være det, som tillægget beder om: tekst som "+4530274735" eller et beløb som { "{" }"value": 50000, "currency": "DKK"{ "}" }; /v2/carriers viser hvilket
required-with-addon = skal udfyldes, når tillægget { $addon } er valgt
dangerous-goods-not-allowed = skal være tom: denne service transporterer ikke farligt gods
limited-quantity-only = skal være true: denne service transporterer kun farligt gods i begrænsede mængder
required-by-customs = skal udfyldes, fordi forsendelsen krydser en toldgrænse

# Hvad der er galt med en booking.
unknown-service = er ikke en service hos nogen transportør; se /v2/carriers
no-account = kræver en aktiv konto hos { $carrier }
no-merchant = skal udfyldes, fordi teamets indstillinger ikke har en afsenderadresse
no-pickup-point = skal udfyldes: der kendes ikke noget afhentningssted nær kunden
unknown-pickup-point = er ikke et afhentningssted for denne service; de nærmeste er { $near }
no-such-pickup-point = er ikke et udleveringssted for denne service
unknown-template = er ikke en af teamets skabeloner
template-pickup-point = angiver et udleveringssted, og denne service leverer ikke til udleveringssteder; send delivery.pickup_point som null, eller vælg en anden service
carrier-not-bookable = { $carrier } kan endnu ikke bookes med denne version
unknown-carrier = er ikke en transportør i kataloget

# Hvad der blev af en booking.
failure-rejected = { $carrier } afviste bookingen. Ret oplysningerne, og opret en ny forsendelse.
failure-technical = Bookingen kunne ikke gennemføres. Hvis { $carrier } har accepteret den, så hent dokumenterne igen; book ikke på ny.
failure-deadline = { $carrier } svarede ikke i tide og har måske bookingen. Book ikke på ny; en sen accept opdaterer denne forsendelse.
failure-unbooked = { $carrier } kunne ikke tage imod bookingen i tide. Intet blev booket; opret en ny forsendelse for at prøve igen.
not-cancellable = Kun en booket forsendelse kan annulleres. Denne er { $state }.
cancel-refused = Transportøren afviste annulleringen: { $words }
too-many-secrets = Hemmeligheden er skiftet for ofte: hver gammel underskriver i et døgn, og der er { $max } af dem. Prøv igen senere.
no-cancelling = denne transportør annullerer ikke bookinger
carrier-unclear = Transportøren gav ikke et klart svar. Intet er ændret; prøv igen.
not-deletable = Denne forsendelse kan ikke slettes: transportøren har den, har den måske eller bliver spurgt.
nothing-to-recover = Der er ingen dokumenter at hente: transportøren har ikke accepteret hele forsendelsen.
account-in-use = Der er booket forsendelser med denne konto. Sæt is_active til false i stedet.
gone = Linket er udløbet. Hent dokumentet eller dets forsendelse igen for at få et nyt.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = indeholder { $character } ({ $code }), som ikke kan udskrives
no-room-on-paper = er for lang til det papir, den skal trykkes på
no-barcode = kan ikke skrives som stregkode
not-gs1 = skal være GS1-elementer såsom (00)357012340000000014
document-not-drawn = kan ikke tegnes i dette format
document-self-check = bestod ikke kontrollen, efter at det var tegnet
document-barcode = har en stregkode, der ikke kan læses
document-pages-png = har flere sider, og PNG rummer kun én
document-too-large = er større end nogen label
document-no-size = siger ikke, hvor store dets sider er
document-not-pdf = er ikke en PDF-fil
document-not-png = er ikke en PNG-fil
document-not-zpl = er ikke ZPL
document-zpl-command = har kommandoen { $command }, som gør mere end at tegne
document-encrypted = er krypteret
document-format = kan ikke laves af en transportør i dette format

# What is printed on labels and papers.
paper-label = Pakkelabel
paper-return-label = Returlabel
paper-return = RETUR
paper-from = Fra
paper-to = Til
paper-date = Dato
paper-weight = Vægt
paper-reference = Reference
paper-parcel = Pakke
paper-pickup-point = Udleveringssted
paper-page = Side { $page } af { $pages }
paper-may-open = Må åbnes af toldmyndighederne
paper-customs-title = Tolddeklaration
paper-commercial-goods = Salg af varer
paper-commercial-sample = Vareprøve
paper-gift = Gave
paper-documents = Dokumenter
paper-returned-goods = Returvarer
paper-other = Andet
paper-description = Beskrivelse af indholdet
paper-quantity = Antal
paper-net-weight = Nettovægt
paper-gross-weight = Bruttovægt
paper-value = Værdi
paper-hs-code = HS-kode
paper-origin = Oprindelse
paper-total-weight = Samlet vægt
paper-total-value = Samlet værdi
paper-postage = Porto
paper-comments = Bemærkninger
paper-licence = Licensnr.
paper-certificate = Certifikatnr.
paper-customs-promise = Jeg bekræfter, at oplysningerne i denne deklaration er rigtige, og at forsendelsen ikke indeholder farlige genstande eller genstande, som er forbudt ved lov eller efter post- eller toldregler.
paper-signature = Dato og underskrift
paper-invoice-commercial = Handelsfaktura
paper-invoice-proforma = Proformafaktura
paper-invoice-number = Fakturanr.
paper-invoice-date = Fakturadato
paper-seller = Sælger
paper-buyer = Køber
paper-tracking = Sporingsnr.
paper-incoterm = Leveringsbetingelser
paper-reason = Årsag til udførsel
paper-unit-price = Stykpris
paper-amount = Beløb
paper-subtotal = Subtotal
paper-shipping-cost = Fragt
paper-insurance = Forsikring
paper-total = I alt
paper-not-for-payment = Værdien er kun til toldbrug. Skal ikke betales.
paper-invoice-promise = Vi bekræfter, at oplysningerne i denne faktura er sande og rigtige.
paper-packing-list = Pakkeliste
paper-sku = Varenr.
paper-manifest = Manifest
paper-carrier = Transportør
paper-shipments = Forsendelser
paper-parcels = Pakker
paper-receiver = Modtager
paper-destination = Destination
paper-service = Service
paper-handed-over = Overdraget
paper-received = Modtaget af chaufføren
paper-qr = Indleveringskode
paper-qr-how = Vis denne kode, hvor du afleverer pakken. Labelen udskrives dér.
paper-valid-until = Gyldig til
paper-report = Rapport
paper-period = Periode
report-created = Oprettet
report-state = Status
report-identifier = Identifikation
report-country = Land
report-postal-code = Postnummer
report-city = By
report-booked-at = Booket
report-currency = Valuta
report-by-day = Forsendelser pr. dag
report-by-service = Forsendelser pr. ydelse
report-by-country = Forsendelser pr. land
report-shipments = Forsendelser
state-pending = Afventer
state-processing = I gang
state-booked = Booket
state-failed = Mislykket
state-cancelled = Annulleret
report-other = Øvrige
report-failed = Rapporten kunne ikke laves.
period-too-long = dækker mere end { $max } dage
nothing-to-manifest = Der er intet at sætte på et manifest: alle bookede forsendelser hos transportøren er allerede på et.
manifest-raced = En forsendelse blev imens annulleret eller sat på et andet manifest. Prøv igen.
not-for-manifest = er ikke en booket forsendelse hos denne transportør
on-a-manifest = er allerede på et manifest

# Hvad der er galt med en webhook.
url-malformed = skal være en almindelig adresse som https://shop.example.com/hooks
url-not-https = skal begynde med https://
url-port = skal bruge port 443 eller en port fra 1024 og op
url-not-public = skal være en offentlig adresse
not-in-the-past = må ikke ligge i fremtiden
webhook-not-active = Denne webhook er ikke aktiv. Sæt først is_active til true.
webhook-gone = Modtageren svarede 410 Gone.
webhook-failing = Alle leveringer mislykkedes i 5 dage.
attempt-not-allowed = Adressen er ikke offentlig eller ikke tilladt.
attempt-no-address = Navnet kunne ikke slås op.
attempt-no-connection = Der kunne ikke oprettes forbindelse.
attempt-no-tls = Der kunne ikke oprettes en sikker forbindelse.
attempt-too-slow = Intet svar inden for 15 sekunder.
attempt-broken = Forbindelsen blev afbrudt, eller svaret var ikke HTTP.

# Batches
batch-stopped = En batch, der er stoppet, kan ikke startes igen.
batch-empty = Denne batch er tom: tilføj forsendelser, før du starter den.
batch-not-started = Denne batch er ikke startet: der er intet at stoppe.
batch-completed = Denne batch er færdig: der er intet at stoppe.
batch-not-open = Forsendelser kan kun tilføjes til en åben batch.
batch-started = Forsendelsens batch er startet: dens forsendelser kan ikke slettes enkeltvis. Stop batchen i stedet.
# Where a parcel is.
tracking-info-received = Transportøren har fået besked om pakken.
tracking-collected = Pakken er afhentet.
tracking-in-transit = Pakken er på vej.
tracking-at-terminal = Pakken er ankommet til en terminal.
tracking-in-customs = Pakken er hos tolden.
tracking-out-for-delivery = Pakken er på vej ud til modtageren.
tracking-available = Pakken kan hentes.
tracking-attempt-failed = Pakken kunne ikke leveres: ingen tog imod den.
tracking-delivered = Pakken er leveret.
tracking-delayed = Pakken er forsinket.
tracking-exception = Noget er gået galt med pakken.
tracking-returning = Pakken er på vej tilbage til afsenderen.
tracking-returned = Pakken er tilbage hos afsenderen.
tracking-expired = Der er ikke hørt noget om pakken i 30 dage.
tracking-estimate-changed = Det forventede leveringstidspunkt er ændret.
tracking-ambiguous = Flere sporinger har dette nummer. Angiv carrier_code eller shipment_uuid.
feed-expired = Denne position i strømmen er udløbet. Læs sporingerne på ny, og begynd uden cursor.
callback-unreadable = er ikke en besked fra denne transportør
report-trackings = Sporinger
report-trackings-by-day = Sporinger pr. dag
report-trackings-by-state = Sporinger pr. tilstand
report-trackings-by-service = Sporinger pr. tjeneste
report-expected = Forventet senest
report-delivered-at = Leveret
report-returned-at = Returneret
report-last-event = Seneste hændelse
report-last-heard = Sidst hørt om
tracking-state-pending = Afventer
tracking-state-info-received = Anmeldt
tracking-state-in-transit = På vej
tracking-state-out-for-delivery = Ude til levering
tracking-state-available = Klar til afhentning
tracking-state-attempt-fail = Leveringsforsøg mislykkedes
tracking-state-delivered = Leveret
tracking-state-exception = Afvigelse
tracking-state-returned = Returneret
tracking-state-expired = Udløbet
report-not-available = findes ikke i denne version: der kan kun rapporteres om forsendelser og sporinger
# Service points and rates.
not-a-clock-time = skal være et klokkeslæt som 07:30
not-opening-hours = skal være åbningstider som mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = skal være et land som NO, eller et land med begyndelsen af et postnummer som NO:9
not-heavier = skal være tungere end from_weight
overlapping-rates = overlapper række { $row } for samme service og zone
not-bounds = skal være fire tal: minLat,minLng,maxLat,maxLng, de mindste først
not-degrees = skal være et antal grader fra -{ $max } til { $max }
# Files
no-such-range = Filen har { $size } bytes.
