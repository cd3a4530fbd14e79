# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = skal udfyldes
not-an-object = skal være et objekt
not-a-list = skal være en liste
not-text = skal være en tekststreng
not-a-number = skal være et tal
not-an-integer = skal være et heltal
not-in-range = skal være et helt tal fra { $min } til { $max }
not-a-boolean = skal være true eller false
not-a-uuid = skal være et UUID, f.eks. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = skal være dato og klokkeslæt med UTC-forskydning, f.eks. 2026-11-20T17:00:00+01:00
not-a-known-time = skal være et tidspunkt fra { $min } til { $max }
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
body-too-many = har mere end { $max } værdier
body-missing = skal være et JSON-objekt, men anmodningen har intet indhold

# What is wrong with a query parameter or header.
unknown-parameter = er ikke en kendt parameter
unknown-parameter-near = er ikke en kendt parameter; mente du { $near }?
duplicate-parameter = er angivet to gange
bad-cursor = er ikke en gyldig cursor for denne liste
bad-idempotency-key = skal være på 16 til 128 tegn og må kun indeholde A-Z, a-z, 0-9, punktum, understregning og bindestreg
idempotency-key-reused = er allerede brugt til en anmodning med et andet indhold; brug en ny nøgle til en ny anmodning

# Whole answers.
invalid = Anmodningen er ugyldig.
invalid-at = Anmodningen er ugyldig: { $path } { $problem }
unauthenticated = Send et gyldigt adgangstoken som "Authorization: Bearer …".
token-malformed = Dette adgangstoken er ikke udstedt af os: kontrolcifrene stemmer ikke. Kontrollér, at hele tokenet blev kopieret.
not-from-carrier = Beskeden beviser ikke, at den kommer fra transportøren.
forbidden-scope = Tokenet mangler rettigheden { $scope }. Brug et token, der har den.
forbidden-role = Kun en administrator af teamet må gøre dette.
not-found = Dette findes ikke, eller det tilhører ikke dette team.
unknown-path = Stien findes ikke. API'et er beskrevet på /docs.
method-not-allowed = Metoden { $method } er ikke tilladt her. Tilladte metoder: { $allowed }.
conflict-version = Ressourcen er ændret, siden du læste den. Læs den igen, og gentag din ændring.
conflict-in-progress = En tidligere anmodning om det samme er stadig under behandling. Prøv igen om lidt.
replayed-deleted = Det, der blev lavet med denne Idempotency-Key, er slettet. Brug en anden nøgle for at lave et nyt.
too-many-requests = Grænsen for antallet af anmodninger er nået. Prøv igen om { $seconds ->
    [one] { $seconds } sekund
   *[other] { $seconds } sekunder
}.
payload-too-large = Anmodningens indhold er større end { $max } byte.
chunks-too-small = Indholdet kommer i for mange små stykker. Send det i større stykker eller med Content-Length.
unsupported-media-type = Send indholdet som application/json uden komprimering.
bad-request = Anmodningen kunne ikke læses.
two-credentials = Anmodningen har to adgangstokens. Send ét af dem: som bearer-token eller som api_token.
legacy-invalid = De angivne data er ugyldige.
legacy-in-progress = Forsendelsen er stadig ved at blive booket. Send den samme anmodning igen om nogle sekunder.
request-timeout = Det tog for lang tid at modtage anmodningen. Send den igen.
internal = Der opstod en fejl hos os. Oplys Request-ID { $id }, når du kontakter os.
unavailable = Serveren kan ikke svare i øjeblikket. Prøv igen om lidt.

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
no-format = tilbyder labels som { $offered }, men teamets indstillinger kræver { $wanted }
legacy-no-pdf = kræver en label som PDF-fil, og det format er ikke med i teamets indstillinger
legacy-no-label = har ingen label som PDF-fil
legacy-several-websites = skal angives i stien, fordi tokenet gælder i flere teams
legacy-carrier-words = { $words }
no-size = tilbyder labels i { $offered }, men teamets indstillinger kræver { $wanted }
not-the-first-size = skal være den første af sizes eller udelades

# What a service does not offer, or asks for.
characters-not-accepted = indeholder tegn, som denne service ikke accepterer: { $characters }
not-served-from = er ikke et land, som denne service sender fra; den sender fra { $countries }
not-served-to = er ikke et land, som denne service sender til; den sender til { $countries }
not-served-within = skal være et andet land: denne service sender ikke inden for { $country }
not-a-postal-code = er ikke et postnummer i { $country }; det skal se ud som { $example }
not-an-area-code = skal være delstaten eller provinsen med to store bogstaver, f.eks. NY
pickup-point-not-offered = skal udelades: denne service leverer ikke til udleveringssteder
addon-not-offered = er ikke en tillægsservice til denne service; den tilbyder { $addons }
no-addon-offered = er ikke en tillægsservice til denne service; den har ingen
addon-required = skal indeholde tillægsservicen { $addon }
addon-without-value = skal udelades: denne tillægsservice skal ikke have en værdi
not-an-amount = skal være et beløb i valutaens mindste enhed, f.eks. { "{" }"value": 50000, "currency": "DKK"{ "}" }
addon-phone = skal være tekst med et telefonnummer inklusive landekode, f.eks. "+4530274735"
addon-email = skal være tekst med en e-mailadresse, f.eks. "ada@example.com"
addon-age = skal være en af disse tekster: { $choices }
addon-text = { $max ->
    [one] skal være tekst på højst { $max } tegn, f.eks. "A"
   *[other] skal være tekst på højst { $max } tegn, f.eks. "I skuret"
}
not-an-addon-value = skal være det, som tillægsservicen beder om: tekst som "+4530274735" eller et beløb som { "{" }"value": 50000, "currency": "DKK"{ "}" }; /v2/carriers viser hvilket
required-with-addon = skal udfyldes, når tillægsservicen { $addon } er valgt
dangerous-goods-not-allowed = skal være tomt: denne service transporterer ikke farligt gods
limited-quantity-only = skal være true: denne service transporterer kun farligt gods i begrænsede mængder
girth-too-large = er for stor: den længste side og to gange de to andre må tilsammen højst være { $max }
sides-too-long = er for stor: længde, bredde og højde må tilsammen højst være { $max }
weights-too-heavy = må tilsammen højst veje { $max }
required-by-customs = skal udfyldes, fordi forsendelsen krydser en toldgrænse
required-from = skal udfyldes, fordi forsendelsen sendes fra { $country }
required-to = skal udfyldes, fordi forsendelsen sendes til { $country }
one-required = skal udfyldes, eller et af disse felter: { $fields }
must-be-left-out = skal udelades: denne service tager det ikke imod

# Hvad der er galt med en booking.
unknown-service = er ikke en service hos nogen transportør; se /v2/carriers
no-account = kræver en aktiv konto hos { $carrier }; opret den først
no-merchant = skal udfyldes, fordi teamets indstillinger ikke har en afsenderadresse
no-pickup-point = skal udfyldes: der kendes intet udleveringssted nær kunden
unknown-pickup-point = er ikke et udleveringssted for denne service; de nærmeste er { $near }
no-such-pickup-point = er ikke et udleveringssted for denne service
no-points-in-country = kan ikke vælges: denne server kender intet udleveringssted hos { $carrier } i { $country }
unknown-template = er ikke en af teamets skabeloner
template-pickup-point = angiver et udleveringssted, og denne service leverer ikke til udleveringssteder; send delivery.pickup_point som null, eller vælg en anden service
template-point-unfit = angiver udleveringsstedet { $code }, som ikke hører til denne service i kundens land; send delivery.pickup_point med en anden kode, eller som null for det nærmeste
carrier-not-bookable = angiver { $carrier }, som endnu ikke kan bookes med denne version
credentials-refused = blev afvist af transportøren: { $words }
not-a-time-zone = er ikke en tidszone, f.eks. Europe/Copenhagen
unknown-carrier = er ikke en transportør i kataloget

# Hvad der blev af en booking.
failure-rejected = { $carrier } afviste bookingen. Ret oplysningerne, og opret en ny forsendelse.
failure-technical = Bookingen kunne ikke gennemføres. Hvis { $carrier } har accepteret den, skal du hente dokumenterne igen; book ikke på ny.
failure-documents = { $carrier } har bookingen, men dokumenterne kunne ikke laves. Hent dokumenterne igen, eller annuller forsendelsen; book ikke på ny.
failure-documents-final = { $carrier } har bookingen, men dokumenterne kunne ikke laves, og { $carrier } giver dem ikke her igen. Hent dem hos { $carrier } selv, eller annuller forsendelsen; book ikke på ny.
failure-deadline = { $carrier } svarede ikke i tide og har måske bookingen. Book ikke på ny; en sen accept opdaterer denne forsendelse.
failure-interrupted = Databasen blev gendannet fra en kopi, mens { $carrier } blev spurgt, så bookingen findes måske. Book ikke på ny; en sen accept opdaterer denne forsendelse.
failure-unknown = { $carrier } har måske bookingen og kan ikke spørges herfra. Se efter dér, før du booker igen.
failure-restored = Databasen er gendannet fra en kopi. Forsendelsen blev ikke booket herfra, men den tabte database kan have booket den hos { $carrier }. Se efter på listen hos { $carrier }, eller kør "waybill reconcile" på serveren. Findes den dér, så book ikke på ny: brug den, eller annuller den dér. Findes den ikke, så opret en ny forsendelse.
failure-restored-unbooked = Databasen blev gendannet fra en kopi, før dette blev booket, og { $carrier } har det ikke. Intet blev booket; opret en ny forsendelse for at prøve igen.
failure-unbooked = Den kunne ikke bookes hos { $carrier } i tide. Intet blev booket; opret en ny forsendelse for at prøve igen.
failure-nothing-booked = Bookingen kunne ikke gennemføres, og intet blev booket hos { $carrier }. Opret en ny forsendelse for at prøve igen.
failure-partial = { $carrier } tog kun { $taken } af { $count } pakker: dem, der har et sporingsnummer. Book dem ikke på ny. Annuller denne forsendelse, og opret en ny, eller hent dokumenterne igen, og send disse pakker.
failure-partial-final = { $carrier } tog kun { $taken } af { $count } pakker: dem, der har et sporingsnummer. Book dem ikke på ny. Deres dokumenter kunne ikke laves, og { $carrier } giver dem ikke her igen. Annuller denne forsendelse, og opret en ny, eller hent dokumenterne til disse pakker hos { $carrier } selv.
failure-partial-documents = { $carrier } tog kun { $taken } af { $count } pakker: dem, der har et sporingsnummer. Book dem ikke på ny. Deres dokumenter er klar: send disse pakker, eller annuller denne forsendelse, og opret en ny.
failure-cancelled = Bookingen mislykkedes, og det, som { $carrier } havde af den, er annulleret. Opret en ny forsendelse for at prøve igen.
parcel-not-taken = Denne pakke blev ikke accepteret.
note-not-sent = Den kunne ikke sendes til { $carrier }.
note-not-tried = Den blev ikke sendt til { $carrier } i tide.
note-no-answer = { $carrier } gav ikke et svar, der viser, om bookingen findes.
note-absent = { $carrier } har ikke bookingen.
note-no-documents = { $carrier } sendte ingen dokumenter.
note-papers = Dokumenterne kunne ikke laves ud fra det, som { $carrier } sendte.
note-not-kept = Dokumenterne kunne ikke gemmes på denne server.
note-restored = Databasen blev gendannet fra en kopi, før { $carrier } havde taget imod denne booking herfra.
note-interrupted = Databasen blev gendannet fra en kopi, mens { $carrier } blev spurgt.
note-no-account = Kontoen hos { $carrier } kan ikke bruges.
not-cancellable = Der er intet at annullere: transportøren har ikke denne forsendelse.
cancel-too-early = Denne forsendelse er stadig ved at blive booket. Annuller den, når det er afsluttet.
cancel-while-documents = Transportøren har denne forsendelse, og dens dokumenter er ved at blive lavet igen. Annuller den, når det er afsluttet.
outcome-asked = Det vides endnu ikke, om { $carrier } har denne forsendelse, og vi spørger fortsat. Indtil det vides, kan den ikke annulleres eller slettes, og der er ingen dokumenter. Har { $carrier } den, bliver den booket her.
outcome-unknown = { $carrier } har måske denne forsendelse og kan ikke spørges herfra. Derfor kan den ikke annulleres eller slettes her, og der er ingen dokumenter. Se efter på listen hos { $carrier }. Findes den dér, så brug den, eller annuller den dér. Findes den ikke, så noter det på serveren med "waybill reconcile --not-booked"; derefter kan forsendelsen slettes.
outcome-restored = Databasen er gendannet fra en kopi. Forsendelsen blev ikke booket herfra, men den tabte database kan have booket denne forsendelse hos { $carrier }. Derfor kan den ikke annulleres eller slettes her, og der er ingen dokumenter. Se efter på listen hos { $carrier }. Findes den dér, så brug den, eller annuller den dér. Findes den ikke, så noter det på serveren med "waybill reconcile --not-booked"; derefter kan forsendelsen slettes.
cancel-refused = Transportøren afviste annulleringen: { $words }
too-many-secrets = Den hemmelige nøgle er skiftet for ofte. En udskiftet nøgle signerer stadig i et døgn, og højst { $max } må gøre det samtidig. Prøv igen senere.
no-cancelling = Denne transportør annullerer ikke bookinger.
cancel-unclear = Transportøren har ikke bekræftet annulleringen: forsendelsen er måske annulleret. Vi bliver ved med at spørge. Læs forsendelsen på adressen i Location for at se, hvordan det gik, eller annuller den igen.
cancel-unsettled = Transportøren er blevet bedt om at annullere denne forsendelse og har ikke bekræftet det. Læs forsendelsen igen, før du beder om dens dokumenter.
not-deletable = Forsendelsen kan ikke slettes, fordi transportøren har den eller måske har den. Det, som transportøren har, kan annulleres.
never-begun = Denne forsendelse blev aldrig booket: dens batch blev stoppet forinden. Den bliver i batchen som annulleret og kan ikke slettes.
cancelled-not-deletable = Denne forsendelse var booket hos transportøren og er annulleret. Den bevares og kan ikke slettes.
nothing-to-recover = Der er ingen dokumenter at hente: transportøren har ikke accepteret forsendelsen.
cancelled-no-documents = Denne forsendelse er annulleret. Dens dokumenter laves ikke længere.
account-in-use = Kontoen kan ikke slettes, fordi der er booket forsendelser med den. Sæt is_active til false i stedet.
gone = Linket er udløbet. Hent dokumentet eller dets forsendelse igen for at få et nyt link.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = indeholder { $character } ({ $code }), som ikke kan udskrives
no-room-on-paper = er for langt til det papir, det trykkes på
no-barcode = kan ikke skrives som stregkode
not-gs1 = skal være GS1-elementer, f.eks. (00)357012340000000014
document-not-drawn = kan ikke tegnes i dette format
document-self-check = bestod ikke kontrollen, efter at det var tegnet
document-barcode = har en stregkode, der ikke kan læses
document-pages-png = har flere sider, men en PNG-fil rummer kun én
document-too-large = er større end nogen label
document-no-size = angiver ikke størrelsen på sine sider
document-not-pdf = er ikke en PDF-fil
document-not-png = er ikke en PNG-fil
document-not-zpl = er ikke ZPL
document-zpl-command = indeholder kommandoen { $command }, som ikke er tilladt: den gør mere end at tegne
document-encrypted = er krypteret
document-format = kan ikke komme fra en transportør i dette format

# What is printed on labels and papers.
paper-shipping-label = Label
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
paper-cash-on-delivery = Efterkrav
paper-cash-with-parcel = Efterkrav opkræves med pakke { $number }/{ $count }
paper-minimum-age = Tjek alder
paper-leave-at = Må stilles
paper-dangerous-goods = Farligt gods
paper-limited-quantity = Begrænset mængde
paper-test-label = TESTLABEL – må ikke sendes
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
paper-customs-promise-dangerous = Jeg bekræfter, at oplysningerne i denne deklaration er rigtige, og at forsendelsen ikke indeholder genstande, som er forbudt ved lov eller efter post- eller toldregler.
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
paper-pick-list = Plukliste
paper-packing-slip = Følgeseddel
paper-location = Lokation
paper-item = Vare
paper-number = Nummer
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
report-price = Anslået pris
report-currency = Valuta
report-by-day = Forsendelser pr. dag
report-by-service = Forsendelser pr. service
report-by-country = Forsendelser pr. land
report-shipments = Forsendelser
state-pending = Afventer
state-processing = I gang
state-booked = Booket
state-failed = Mislykket
state-cancelled = Annulleret
report-other = Øvrige
report-failed = Rapporten kunne ikke laves. Opret den igen.
period-too-long = må højst ligge { $max } dage efter from
nothing-to-manifest = Der er intet at sætte på et manifest: alle bookede forsendelser hos transportøren er allerede på et.
manifest-raced = En forsendelse blev i mellemtiden annulleret eller sat på et andet manifest. Prøv igen.
day-not-closed = Transportøren har ikke bekræftet, at dagen er afsluttet. Forsendelserne forbliver åbne. Prøv igen.
day-refused = Transportøren har ikke afsluttet dagen, og forsendelserne forbliver åbne. Transportøren sagde: { $words }
not-for-manifest = er ikke en booket forsendelse hos denne transportør
on-a-manifest = er allerede på et manifest
merge-one-way = er et af { $names }, og netop ét af dem skal angives
merge-no-types = må ikke angives sammen med { $name }
merge-no-positions = må kun angives sammen med { $name }
merge-last-before-first = må ikke være mindre end { $name }
merge-too-far = skal ligge mindre end { $max } pladser efter { $name }
merge-unknown-shipment = er ikke en af teamets forsendelser
merge-no-document = har ikke et sådant dokument
merge-unknown-batch = er ikke en af teamets batches
merge-format = har en fil, der ikke kan samles; det kan kun PDF og ZPL
merge-too-large = gør de samlede filer større end 64 MiB
merge-objects = indeholder for mange dele til at blive samlet
merge-layers = har lag, der er slået fra, og som den samlede fil ville udskrive
nothing-to-merge = Der er intet at samle: ingen af forsendelserne har et sådant dokument.
document-no-picture = kan ikke vises som et billede

# Hvad der er galt med en webhook.
url-malformed = skal være en almindelig URL, f.eks. https://shop.example.com/hooks
url-not-https = skal begynde med https://
url-port = skal bruge port 443 eller en port fra 1024 og op
url-not-public = skal føre til en offentlig adresse
not-in-the-past = må ikke ligge i fremtiden
webhook-not-active = Denne webhook er ikke aktiv. Sæt først is_active til true.
webhook-gone = Modtageren svarede 410 Gone.
webhook-failing = Alle leveringer mislykkedes i 5 dage.
attempt-not-allowed = Adressen er ikke offentlig eller ikke tilladt.
attempt-no-address = Værtsnavnet kunne ikke slås op.
attempt-no-connection = Modtageren kunne ikke nås.
attempt-no-tls = Der kunne ikke oprettes en sikker forbindelse (TLS).
attempt-too-slow = Modtageren svarede ikke inden for 15 sekunder.
attempt-broken = Forbindelsen blev afbrudt, eller svaret var ikke HTTP.

# Batches
batch-stopped = En batch, der er stoppet, kan ikke startes igen. Opret en ny batch.
batch-empty = Denne batch er tom. Tilføj forsendelser, før du starter den.
batch-not-started = Denne batch er ikke startet, så der er intet at stoppe.
batch-completed = Denne batch er færdig, så der er intet at stoppe.
batch-not-open = Forsendelser kan kun tilføjes til en batch, der ikke er startet. Opret en ny batch.
batch-started = Forsendelsens batch er startet, så dens forsendelser kan ikke slettes enkeltvis. Stop batchen i stedet.
# Where a parcel is.
tracking-info-received = Transportøren har fået besked om pakken.
tracking-collected = Pakken er afhentet.
tracking-in-transit = Pakken er på vej.
tracking-at-terminal = Pakken er ankommet til en terminal.
tracking-in-customs = Pakken er hos tolden.
tracking-out-for-delivery = Pakken er ude til levering.
tracking-available = Pakken kan hentes.
tracking-attempt-failed = Pakken kunne ikke leveres: ingen tog imod den.
tracking-delivered = Pakken er leveret.
tracking-delayed = Pakken er forsinket.
tracking-exception = Noget er gået galt med pakken.
tracking-returning = Pakken er på vej tilbage til afsenderen.
tracking-returned = Pakken er tilbage hos afsenderen.
tracking-expired = Der er ikke hørt noget om pakken i 30 dage.
tracking-estimate-changed = Det forventede leveringstidspunkt er ændret.
tracking-ambiguous = Flere sporinger har dette nummer. Tilføj carrier_code eller shipment_uuid.
feed-expired = Denne position i feedet er udløbet. Læs alle sporinger igen, og følg derefter feedet uden cursor.
feed-restored = Databasen er gendannet fra en kopi, som ikke kender denne position i feedet. Læs alle sporinger igen, og følg derefter feedet uden cursor.
history-lost = Databasen er gendannet fra en kopi. Det, der skete mellem { $after } og { $until }, kan mangle her, og du kan have set noget af det. Læs alt på ny.
callback-unreadable = er ikke en besked fra denne transportør
report-trackings = Sporinger
report-trackings-by-day = Sporinger pr. dag
report-trackings-by-state = Sporinger pr. status
report-trackings-by-service = Sporinger pr. service
report-expected = Forventet senest
report-delivered-at = Leveret
report-returned-at = Returneret
report-last-event = Seneste hændelse
report-last-heard = Sidst opdateret
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
report-print-jobs = Printjob
report-print-jobs-by-day = Printjob pr. dag
report-print-jobs-by-state = Printjob pr. status
report-print-jobs-by-printer = Printjob pr. printer
report-document = Dokument
report-format = Format
report-printer = Printer
report-no-printer = Ingen printer
report-copies = Kopier
report-asked-by = Ønsket af
report-until-printed = Indtil printet
report-failure = Fejl
print-state-pending = Venter
print-state-queued = Hos printeren
print-state-printing = Printes
print-state-printed = Printet
print-state-failed = Mislykket
print-state-unknown = Ukendt
print-source-api = Anmodning
print-source-booking = Booking
# Service points and rates.
not-a-clock-time = skal være et klokkeslæt, f.eks. 07:30
not-opening-hours = skal være åbningstider, f.eks. mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = skal være et land, f.eks. NO, eller et land med begyndelsen af et postnummer, f.eks. NO:9
not-heavier = skal være tungere end from_weight
overlapping-rates = overlapper række { $row } for samme service og zone
not-bounds = skal være fire tal: minLat,minLng,maxLat,maxLng, de mindste først
not-degrees = skal være et antal grader fra -{ $max } til { $max }
# Files
no-such-range = Det ønskede område ligger uden for filen, som har { $size } byte.

# What a team may have only so much of.
quota-accounts = Teamet har { $max } konti hos transportører, og det er grænsen. Slet en konto, der ikke bruges, eller bed den, der driver serveren, om en højere grænse.
quota-webhooks = Teamet har { $max } webhooks, og det er grænsen. Slet en, der ikke bruges, eller bed den, der driver serveren, om en højere grænse.
quota-templates = Teamet har { $max } skabeloner, og det er grænsen. Slet en, der ikke bruges, eller bed den, der driver serveren, om en højere grænse.
quota-tokens = Brugeren har { $max } tokens, og det er grænsen. Tilbagekald en, der ikke bruges, eller sæt en højere grænse med --quotas.
quota-batches = Teamet har { $max } batches, der ikke er færdige, og det er grænsen. Start eller stop en af dem, og vent, til den er færdig.
quota-reports = { $max } af teamets rapporter er ikke klar endnu, og det er grænsen. Vent, til en af dem er klar, og prøv så igen.
quota-streams = Der sendes { $max } strømme til teamet, og det er grænsen. Afslut en af dem, eller læs batchen uden strøm.
quota-option-bytes = må højst fylde { $max } byte som JSON
quota-name-accounts = Konti hos transportører
quota-name-webhooks = Webhooks
quota-name-templates = Skabeloner
quota-name-tokens = Dine tokens
quota-name-batches = Batches, der ikke er færdige
quota-name-reports = Rapporter, der ikke er klar endnu
quota-name-streams = Strømme til teamet
quota-name-option-bytes = Byte i en kontos valgmuligheder og i dens adgangsoplysninger

# Printere, hver efter feltets sti.
unknown-document = er ikke et af teamets dokumenter
printer-uri-scheme = skal begynde med ipp:// eller ipps://
printer-uri-extra = må ikke have bruger, adgangskode, søgestreng eller fragment
printer-uri-length = må højst være 1.023 byte
printer-uri-malformed = skal være en almindelig adresse som ipp://192.168.10.21/ipp/print
printer-uri-port = skal bruge port 443, 631 eller en port fra 1024 og op
printer-uri-of-agent = kan ikke ændres: en printagent når denne printer
printer-known = er allerede printeren “{ $name }”
no-print-rule = skal angives: ingen printregel passer til denne fil ({ $file })
printer-cannot-take = tager ikke { $format }; den tager: { $known }
printer-copies-max = må højst være { $max }: printeren laver ikke flere kopier af { $format }
print-file-too-large = er større end { $max } MiB, og mere sendes ikke til en printer
copies-too-large = er for mange: tilsammen er de større end { $max } MiB, og mere sendes ikke til en printer

# Printjob.
printer-full = { $max } job venter på denne printer, og det er grænsen. Vent, til nogle er printet.
printer-has-jobs = Printeren har job, der ikke er færdige, og kun dens nuværende adresse kan spørges om dem. Prøv igen, når de er det.
print-job-not-cancellable = Det kan allerede være sendt til printeren, så det kan ikke annulleres her.
print-no-rule = Ingen printregel passer til denne fil ({ $said }).
print-cannot-take = Printeren tager ikke dette format ({ $said }).
print-takes-nothing = Printeren tager ingen af de formater, der kendes her ({ $said }).
print-too-many-copies = Printeren laver ikke så mange kopier (højst { $said }).
print-too-large = Filen er med sine kopier større end { $said } MiB, og mere sendes ikke til en printer.
print-refused = Printeren afviste det: { $said }
print-expired = Det udløb: printeren tog det ikke i tide.
print-printer-removed = Printeren findes ikke længere, og intet blev sendt.
print-cancelled = Det blev annulleret, før det blev sendt til printeren.
print-shipment-cancelled = Forsendelsen blev annulleret, før det blev sendt til printeren.
print-file-gone = Filen er ikke gemt længere.
print-cancelled-at-printer = Det blev annulleret på printeren. { $said }
print-stopped-by-printer = Printeren stoppede det. { $said }
print-forgotten = Printeren kender ikke jobbet længere. Se på printeren, før du printer det igen.
print-not-proved = Printeren siger, at den er færdig, men ikke at den havde hele filen. Se på printeren, før du printer det igen.
print-interrupted = Forbindelsen til printeren blev afbrudt, mens det blev sendt. Se på printeren, før du printer det igen.
print-not-printed = Forbindelsen til printeren blev afbrudt, mens det blev sendt, og det blev ikke printet.
print-unreachable = Printeren har det, men kan ikke nås. Se på printeren, før du printer det igen.
quota-printers = Teamet har { $max } printere, og det er grænsen. Slet en, der ikke er brug for, eller bed den, der driver serveren, om en højere grænse.
quota-name-printers = Printere
# Hvad der er galt med en printers adresse. Hver tekst står efter feltets sti.
printer-broken = skal føre til en printer, der svarer; forbindelsen blev afbrudt
printer-put-off = skal føre til en printer, der svarer; den sagde: { $said }
printer-refused = skal føre til en printer, der lukker os ind; den sagde: { $said }
printer-not-allowed = skal føre til et netværk, hvor printere er tilladt på denne server
printer-unknown-name = skal have et værtsnavn, der kan slås op
printer-no-connection = skal føre til en printer, der svarer; ingen tager imod forbindelser der
printer-timed-out = skal føre til en printer, der svarer; den svarede ikke i tide
printer-not-ipp = skal føre til en printer; det, der svarer, taler ikke IPP
printer-no-such-queue = skal nævne en kø, som printserveren har
printer-wants-password = skal føre til en printer, der ikke kræver adgangskode
printer-wants-tls = skal begynde med ipps://, fordi denne printer kræver TLS
printer-not-trusted = skal føre til en printer med et certifikat, som denne server har tillid til

# Printagenter.
forbidden-agent = Tokenet er en printagents, og dette er ikke for printagenter.
forbidden-client = Et program, der handler for sig selv, har ingen konto: dette er for brugere.
user-deleted = Brugeren er blevet slettet i mellemtiden.
forbidden-app = En app kan ikke gøre dette, for det, den laver, ville gælde længere end det, dens bruger har givet lov til.
forbidden-expiring = Et token, der udløber, kan ikke gøre dette, for det, det laver, udløber ikke.
forbidden-one-team = Tokenet gælder i ét team, og dette angår dets bruger i alle teams. Brug et token, der ikke er bundet til et team.
registration-code-not-good = er ikke en kode, der gælder nu; bed en administrator om en ny
agent-protocol = nævner ingen protokol, som denne server taler; installer version { $version } af agenten
agent-session-over = En anden session for denne printagent er begyndt. Dette program må ikke printe mere.
printer-reported = Printagenten melder stadig denne printer. Slet den dér, eller slet printagenten.
print-agent-silent = Printagenten har det og er ikke hørt siden { $said }. Se på printeren, før du printer det igen.
print-agent-replaced = Printagenten begyndte forfra uden det, den havde gemt. Se på printeren, før du printer det igen.
print-agent-removed = Printagenten blev slettet, mens den havde det. Se på printeren, før du printer det igen.
print-agent-failed = Printagenten opgav det. { $said }
print-agent-unsure = Printagenten ved ikke, om det blev printet. Se på printeren, før du printer det igen. { $said }
print-restored = Databasen er gendannet fra en kopi, og den, der gik tabt, kan have printet det. Se på printeren, før du printer det igen.
quota-print-agents = Teamet har { $max } printagenter, og det er grænsen. Slet en, der ikke er brug for, eller bed den, der driver serveren, om en højere grænse.
quota-name-print-agents = Printagenter

# Sider, hvor folk logger ind og giver en app adgang.
page-sign-in = Log ind
page-sign-in-for = { $app } beder dig om at logge ind.
page-email = E-mailadresse
page-password = Adgangskode
page-forgotten = Har du glemt din adgangskode? Den, der driver denne server, kan give dig en ny.
page-wrong-password = E-mailadressen eller adgangskoden er forkert.
page-too-many-sign-ins = For mange login er mislykkedes. Prøv igen om { $minutes ->
    [one] { $minutes } minut
   *[other] { $minutes } minutter
}.
page-busy = For mange er ved at logge ind lige nu. Prøv igen om et par sekunder.
page-consent = Giv { $app } adgang?
page-way-back = Bagefter sendes du til { $host }.
page-may = Det må appen
page-signed-in = Logget ind som { $name }
page-sign-out = Log ud
page-which-team = I hvilket team?
page-in-team = I teamet { $team }.
page-no-team = Du er ikke med i et team, så der er ikke noget at tillade. Bed en administrator af et team om at tilføje dig.
page-choose-team = Vælg et team.
page-allow = Tillad
page-deny = Afvis
page-error = Det lykkedes ikke
page-refused = Formularen blev ikke godtaget
page-refused-why = Den er mere end en time gammel, eller den blev ikke lavet til denne browser. Gå tilbage, indlæs siden igen, og prøv en gang til. Din browser skal acceptere cookies.
page-unknown-app = Appen er ukendt
page-unknown-app-why = Appen, der sendte dig hertil, er ikke registreret på denne server. Du kan lukke denne side.
page-unknown-redirect = Vejen tilbage er ukendt
page-unknown-redirect-why = Adressen, som du ville blive sendt til bagefter, er ikke registreret for denne app, så du sendes ikke dertil. Du kan lukke denne side.
page-other-team = Du er ikke med i det team
page-other-team-why = Du kan kun give adgang til et team, som du selv er med i.
page-not-a-form = Her kan kun en formular fra disse sider sendes.
not-a-domain = skal være et domæne som shop.example.com
page-link-over = Dette link virker ikke
page-link-over-why = Det er brugt, erstattet eller trukket tilbage, det er for gammelt, eller det blev ikke kopieret helt. Bed den, der gav dig det, om et nyt.
page-invited = Du er inviteret
page-invited-to = Ind i teamet { $team }.
page-invited-as = Du kommer ind som { $email }.
page-your-name = Dit navn
page-new-password = Vælg en adgangskode
page-join = Bliv en del af teamet
page-no-password = Din konto har ingen adgangskode endnu
page-no-password-why = Bed den, der driver serveren, om at give din konto en adgangskode, og åbn linket igen.
page-first-run = Velkommen til Waybill
page-first-run-why = Du er den første her: du driver denne server og dit første team.
page-team-name = Teamets navn
page-team-domain = Teamets domæne, for eksempel shop.example.com
page-begin = Begynd
page-welcome-done = Du er i teamet { $team }
page-welcome-next = Du er logget ind i denne browser. En administrator i teamet laver tokens til programmer.
page-welcome-docs = Læs, hvordan programmer kalder denne server
wrong-current-password = er ikke den nuværende adgangskode
password-is-email = må ikke være e-mailadressen

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Alt, hvad brugerens rolle giver adgang til
    [teams-read] Se teams og deres indstillinger
    [teams-write] Ændre teamets indstillinger
    [service-points-read] Finde udleveringssteder
    [carriers-read] Se kataloget over transportører
    [routes-read] Se de transportører og services, som teamet kan booke
    [delivery-options-read] Finde leveringsmuligheder for en forsendelse
    [shipments-read] Se forsendelser
    [shipments-write] Booke, annullere og slette forsendelser
    [tracking-read] Se sporing
    [booking-batches-read] Se bookingbatches
    [booking-batches-write] Oprette, fylde, starte og stoppe bookingbatches
    [shipment-templates-read] Se forsendelsesskabeloner
    [shipment-templates-write] Oprette, erstatte og slette forsendelsesskabeloner
    [documents-read] Se dokumenter, manifester og rapporter
    [documents-write] Oprette manifester og rapporter
    [printers-read] Se printere
    [printers-write] Tilføje, ændre og slette printere
    [print-jobs-read] Se printjob
    [print-jobs-write] Printe dokumenter
    [webhooks-read] Se webhooks og det, der er leveret til dem
    [webhooks-write] Tilføje, ændre, teste og slette webhooks
    [carrier-accounts-read] Se konti hos transportører
    [carrier-accounts-write] Tilføje, ændre og slette konti hos transportører
    [wms-read] Se lageret
    [wms-write] Ændre lageret
    [members-read] Se, hvem der er med i teamet
    [members-write] Ændre medlemmers roller og tage medlemmer ud
    [tokens-read] Se, hvilke tokens og apps der har adgang til teamet
    [tokens-write] Oprette og tilbagekalde tokens og afslutte apps' adgang
    [logs-read] Se teamets logge og hændelser
    [stats-read] Se teamets tal
    [operator-read] Se, hvordan installationen har det
    [operator-write] Tilføje teams til installationen
   *[other] { $scope }
}

# Medlemmer, invitationer og tokens
last-admin = Dette medlem er teamets eneste administrator, og et team skal have en. Gør først et andet medlem til administrator.
last-admin-of = Du er den eneste administrator i { $teams }, og et team skal have en. Gør først et andet medlem til administrator, eller slet teamet.
not-the-domain = skal være teamets domæne, { $domain }, så intet team slettes ved en fejl
team-is-booking = Teamet kan ikke slettes, mens der arbejdes på dets forsendelser eller batcher: { $ids }. Prøv igen, når de er færdige.
team-is-printing = Teamet kan ikke slettes, mens det har printjob, der ikke er færdige: { $ids }. Prøv igen, når de er det.
member-already = er adressen på en, der allerede er i teamet
invitation-accepted = Invitationen er accepteret. Tag medlemmet ud af teamet i stedet.
token-of-another = Dette token gælder i alle brugerens teams, så kun brugeren selv kan tilbagekalde det.
token-too-long = må højst ligge fem år frem
token-outlives-yours = må ikke ligge efter udløbet af dit eget token og må ikke udelades
role-not-yours = er mere, end dit eget token giver adgang til; en administrator kan alt
scope-not-yours = er en rettighed, som dit eget token mangler; brug et token, der har den
scope-not-of-a-team = er for dem, der driver serveren; et teams token kan ikke have den
not-in-the-future = skal ligge i fremtiden
quota-invitations = Teamet har { $max } åbne invitationer, og det er grænsen. Tilbagekald en, der ikke er brug for, eller bed den, der driver serveren, om en højere grænse.
quota-name-invitations = Åbne invitationer
quota-oauth-clients = Teamet har { $max } OAuth-klienter, og det er grænsen. Slet en, der ikke er brug for, eller bed den, der driver serveren, om en højere grænse.
quota-name-oauth-clients = OAuth-klienter
# PostNord and GLS
addon-not-on-route = tilbydes ikke af transportøren på denne rute
addon-excludes = kan ikke kombineres med tillægsservicen { $addon }
addon-excludes-dangerous-goods = kan ikke kombineres med farligt gods
account-option-missing = kræver indstillingen { $option } på kontoen hos transportøren
identifier-required = skal have et af disse: { $fields }

# DAO, Budbee and Bring
insurance-currency = skal forsikre i en af disse valutaer: { $choices }
insurance-too-high = må højst forsikre for { $max }
address-lines-too-long = må højst have { $max } tegn i alt i linjerne efter den første

# Lageret
wms-space-at-end = må ikke begynde eller slutte med et mellemrum
wms-mixed-length-units = skal være i samme længdeenhed for hele varen, ikke i { $units }
wms-delta-zero = må ikke være 0
wms-own-items = skal udelades: indholdet af en pakke kommer fra linjerne og kataloget
wms-no-such-parcel = er ikke pladsen for en pakke i forsendelsen, som har { $count }, talt fra 0
wms-empty-parcel = indeholder intet: ingen af linjerne hører til i denne pakke
wms-item-field = nævner en katalogvare, hvis { $field } { $problem }
wms-unknown-sku = er ikke SKU for en katalogvare
wms-sku-taken = er allerede SKU for en katalogvare
wms-too-few = Kun { $available } kan tages fra denne lokation: resten er der ikke eller er reserveret.
wms-too-many = Der er allerede { $on_hand } på denne lokation, og en lokation rummer højst { $max }.
wms-item-in-stock = Varen kan ikke slettes fra kataloget: der er { $on_hand } på lager.
wms-item-wanted = Varen kan ikke slettes fra kataloget: en plukordre, der stadig er åben, har brug for den.
wms-is-received = Plukordren er modtaget og har ikke fået varer endnu, så det kan ikke gøres nu.
wms-is-allocated = Plukordren er tildelt, så det kan ikke gøres nu.
wms-is-backordered = Plukordren er i restordre og har ikke fået varer, så det kan ikke gøres nu.
wms-is-picking = Plukordren er ved at blive plukket, så det kan ikke gøres nu.
wms-is-packed = Plukordren er pakket, så det kan ikke gøres længere.
wms-is-shipped = Plukordren er afsendt, så det kan ikke gøres længere.
wms-is-cancelled = Plukordren er annulleret, så det kan ikke gøres længere.
wms-too-scattered = Varerne ligger på mere end { $max } lokationer. Læg nogle af dem sammen, eller opret to plukordrer.
wms-shipment-under-way = Forsendelsen til denne pakkede plukordre bliver booket netop nu. Vent, til det er afsluttet.
wms-shipment-held = Transportøren har forsendelsen til denne pakkede plukordre, eller har den måske. Få det afklaret først: hent dens dokumenter igen, eller annuller den.
wms-nothing-to-pick = Plukordren har ikke fået tildelt varer, så der er intet at plukke.
