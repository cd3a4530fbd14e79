# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = måste anges
not-an-object = måste vara ett objekt
not-a-list = måste vara en lista
not-text = måste vara en textsträng
not-a-number = måste vara ett tal
not-an-integer = måste vara ett heltal
not-in-range = måste vara ett heltal från { $min } till { $max }
not-a-boolean = måste vara true eller false
not-a-uuid = måste vara ett UUID, t.ex. 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = måste vara datum och klockslag med UTC-förskjutning, t.ex. 2026-11-20T17:00:00+01:00
not-a-known-time = måste vara en tidpunkt från { $min } till { $max }
not-a-date = måste vara ett datum, t.ex. 2026-11-20
not-one-of = måste vara ett av följande värden: { $choices }
not-a-currency = måste vara en valutakod enligt ISO 4217, t.ex. DKK
not-money = är inte pengar som man betalar med i dag; använd en valutakod som SEK
not-a-country = måste vara en landskod enligt ISO 3166 med två versaler, t.ex. DK
not-a-language = måste vara en av språkkoderna en, da, sv, nb, fi, de
not-an-email = måste vara en e-postadress
not-a-phone = måste vara ett telefonnummer, t.ex. +4530274735
unknown-field = är inte ett känt fält
unknown-field-near = är inte ett känt fält; menade du { $near }?
fixed-field = kan inte ändras
duplicate-field = förekommer två gånger i samma objekt
duplicate-value = förekommer två gånger i listan
blank = får inte vara tomt
too-long = { $max ->
    [one] får innehålla högst { $max } tecken
   *[other] får innehålla högst { $max } tecken
}
too-short = { $min ->
    [one] måste innehålla minst { $min } tecken
   *[other] måste innehålla minst { $min } tecken
}
control-character = får inte innehålla styrtecken
too-few = { $min ->
    [one] måste innehålla minst { $min } element
   *[other] måste innehålla minst { $min } element
}
too-many = { $max ->
    [one] får innehålla högst { $max } element
   *[other] får innehålla högst { $max } element
}
not-positive = måste vara större än 0
too-large = får vara högst { $max }
too-small = måste vara minst { $min }
too-many-decimals = får ha högst 3 decimaler
unit-missing = måste anges eftersom { $path } har ett värde
unknown-printer = är inte en av teamets skrivare

# What is wrong with a body as a whole.
body-not-json = är inte giltig JSON (byte { $offset })
body-not-object = måste vara ett JSON-objekt
body-too-deep = har för många nästlade nivåer
body-too-many = har fler än { $max } värden
body-missing = måste vara ett JSON-objekt, men anropet saknar innehåll

# What is wrong with a query parameter or header.
unknown-parameter = är inte en känd parameter
unknown-parameter-near = är inte en känd parameter; menade du { $near }?
duplicate-parameter = har angetts två gånger
bad-cursor = är inte en giltig markör för den här listan
bad-idempotency-key = måste vara 16 till 128 tecken och får bara innehålla A-Z, a-z, 0-9, punkt, understreck och bindestreck
idempotency-key-reused = har redan använts i ett anrop med annat innehåll; använd en ny nyckel för ett nytt anrop

# Whole answers.
invalid = Anropet är ogiltigt.
invalid-at = Anropet är ogiltigt: { $path } { $problem }
unauthenticated = Skicka en giltig åtkomsttoken som "Authorization: Bearer …".
token-malformed = Denna åtkomsttoken är inte utfärdad av oss: kontrollsiffrorna stämmer inte. Kontrollera att hela kopierades.
not-from-carrier = Meddelandet bevisar inte att det kommer från transportören.
forbidden-scope = Åtkomsttoken saknar behörigheten { $scope }. Använd en token som har den.
forbidden-role = Endast en administratör för teamet får göra detta.
not-found = Detta finns inte, eller så tillhör det inte det här teamet.
unknown-path = Sökvägen finns inte. API:et beskrivs på /docs.
method-not-allowed = Metoden { $method } är inte tillåten här. Tillåtna metoder: { $allowed }.
conflict-version = Resursen har ändrats sedan du läste den. Läs den igen och upprepa ändringen.
conflict-in-progress = Ett tidigare anrop om samma sak behandlas fortfarande. Försök igen om en stund.
replayed-deleted = Det som skapades med denna Idempotency-Key har tagits bort. Använd en annan nyckel för att skapa ett nytt.
too-many-requests = Gränsen för antalet anrop är nådd. Försök igen om { $seconds ->
    [one] { $seconds } sekund
   *[other] { $seconds } sekunder
}.
payload-too-large = Anropets innehåll är större än { $max } byte.
chunks-too-small = Innehållet kommer i för många små delar. Skicka det i större delar eller med Content-Length.
unsupported-media-type = Skicka innehållet som application/json utan komprimering.
bad-request = Anropet kunde inte läsas.
two-credentials = Anropet har två åtkomsttoken. Skicka en av dem: som bearer-token eller som api_token.
legacy-invalid = De angivna uppgifterna är ogiltiga.
legacy-in-progress = Försändelsen bokas fortfarande. Skicka samma anrop igen om några sekunder.
request-timeout = Det tog för lång tid att ta emot anropet. Skicka det igen.
internal = Något gick fel hos oss. Ange Request-ID { $id } när du kontaktar oss.
unavailable = Servern kan inte svara just nu. Försök igen om en stund.

# What is wrong with a shipment.
not-an-hs-code = måste vara ett tulltaxenummer (HS-kod) med 6 till 10 siffror
not-a-un-number = måste vara UN följt av fyra siffror, t.ex. UN1263
not-after-start = måste vara senare än start
in-the-past = får inte ligga i det förflutna
not-after-from = måste vara senare än from
mixed-currencies = måste anges i samma valuta i hela försändelsen, inte i { $units }
mixed-weight-units = måste anges i samma viktenhet i hela försändelsen, inte i { $units }
mixed-length-units = måste anges i samma längdenhet i hela försändelsen, inte i { $units }
net-above-gross = måste vara minst { $net }, eftersom innehållet väger så mycket
no-format = erbjuder etiketter som { $offered }, men teamets inställningar kräver { $wanted }
legacy-no-pdf = kräver en etikett som PDF-fil, och det formatet finns inte i teamets inställningar
legacy-no-label = har ingen etikett som PDF-fil
legacy-several-websites = måste anges i sökvägen, eftersom token gäller i flera team
legacy-carrier-words = { $words }
no-size = erbjuder etiketter i { $offered }, men teamets inställningar kräver { $wanted }
not-the-first-size = måste vara den första av sizes eller utelämnas

# What a service does not offer, or asks for.
characters-not-accepted = innehåller tecken som den här tjänsten inte godtar: { $characters }
not-served-from = är inte ett land som den här tjänsten skickar från; den skickar från { $countries }
not-served-to = är inte ett land som den här tjänsten skickar till; den skickar till { $countries }
not-served-within = måste vara ett annat land: den här tjänsten skickar inte inom { $country }
not-a-postal-code = är inte ett postnummer i { $country }; det ska se ut som { $example }
not-an-area-code = måste vara delstaten eller provinsen med två versaler, t.ex. NY
pickup-point-not-offered = måste utelämnas: den här tjänsten levererar inte till utlämningsställen
addon-not-offered = är inte en tilläggstjänst till den här tjänsten; den erbjuder { $addons }
no-addon-offered = är inte en tilläggstjänst till den här tjänsten; den har inga
addon-required = måste innehålla tilläggstjänsten { $addon }
addon-without-value = måste utelämnas: den här tilläggstjänsten ska inte ha något värde
not-an-amount = måste vara ett belopp i valutans minsta enhet, till exempel { "{" }"value": 50000, "currency": "SEK"{ "}" }
addon-phone = måste vara text med ett telefonnummer inklusive landskod, till exempel "+46701234567"
addon-email = måste vara text med en e-postadress, till exempel "ada@example.com"
addon-age = måste vara en av dessa texter: { $choices }
addon-text = { $max ->
    [one] måste vara text på högst { $max } tecken, till exempel "A"
   *[other] måste vara text på högst { $max } tecken, till exempel "I förrådet"
}
not-an-addon-value = måste vara det som tilläggstjänsten frågar efter: text som "+46701234567" eller ett belopp som { "{" }"value": 50000, "currency": "SEK"{ "}" }; /v2/carriers visar vilket
required-with-addon = måste anges när tilläggstjänsten { $addon } är vald
dangerous-goods-not-allowed = måste vara tomt: den här tjänsten transporterar inte farligt gods
limited-quantity-only = måste vara true: den här tjänsten transporterar farligt gods endast i begränsade mängder
girth-too-large = är för stort: den längsta sidan och två gånger de två andra får vara högst { $max } tillsammans
sides-too-long = är för stort: längd, bredd och höjd får vara högst { $max } tillsammans
weights-too-heavy = får väga högst { $max } tillsammans
required-by-customs = måste anges eftersom försändelsen passerar en tullgräns
required-from = måste anges eftersom försändelsen skickas från { $country }
required-to = måste anges eftersom försändelsen skickas till { $country }
one-required = måste anges, eller ett av dessa fält: { $fields }
must-be-left-out = måste utelämnas: den här tjänsten tar inte emot det

# Vad som är fel med en bokning.
unknown-service = är inte en tjänst hos någon transportör; se /v2/carriers
no-account = kräver ett aktivt konto hos { $carrier }; lägg till det först
no-merchant = måste anges eftersom teamets inställningar saknar avsändaradress
no-pickup-point = måste anges: inget utlämningsställe nära kunden är känt
unknown-pickup-point = är inte ett utlämningsställe för den här tjänsten; de närmaste är { $near }
no-such-pickup-point = är inte ett utlämningsställe för den här tjänsten
no-points-in-country = kan inte väljas: den här servern känner inte till något utlämningsställe hos { $carrier } i { $country }
unknown-template = är inte en av teamets mallar
template-pickup-point = anger ett utlämningsställe, men den här tjänsten levererar inte till utlämningsställen; skicka delivery.pickup_point som null eller välj en annan tjänst
template-point-unfit = anger utlämningsstället { $code }, som inte hör till den här tjänsten i kundens land; skicka delivery.pickup_point med en annan kod, eller som null för det närmaste
carrier-not-bookable = anger { $carrier }, som ännu inte kan bokas med den här versionen
credentials-refused = avvisades av transportören: { $words }
not-a-time-zone = är inte en tidszon, t.ex. Europe/Stockholm
unknown-carrier = är inte en transportör i katalogen

# Vad som blev av en bokning.
failure-rejected = { $carrier } avvisade bokningen. Rätta uppgifterna och skapa en ny försändelse.
failure-technical = Bokningen kunde inte slutföras. Om { $carrier } har accepterat den ska du hämta dokumenten igen; boka inte på nytt.
failure-documents = { $carrier } har bokningen, men dokumenten kunde inte göras. Hämta dokumenten igen eller avboka försändelsen; boka inte på nytt.
failure-documents-final = { $carrier } har bokningen, men dokumenten kunde inte göras, och { $carrier } ger dem inte här igen. Hämta dem hos { $carrier } själv eller avboka försändelsen; boka inte på nytt.
failure-deadline = { $carrier } svarade inte i tid och kan ha bokningen. Boka inte på nytt; ett sent godkännande uppdaterar den här försändelsen.
failure-interrupted = Databasen återställdes från en kopia medan { $carrier } tillfrågades, så bokningen kan finnas. Boka inte på nytt; ett sent godkännande uppdaterar den här försändelsen.
failure-unknown = { $carrier } kan ha bokningen och kan inte tillfrågas härifrån. Titta där innan du bokar igen.
failure-restored = Databasen har återställts från en kopia. Försändelsen bokades inte härifrån, men den förlorade databasen kan ha bokat den hos { $carrier }. Titta i listan hos { $carrier } eller kör "waybill reconcile" på servern. Om den finns där, boka inte på nytt: använd den eller avboka den där. Om den inte finns där, skapa en ny försändelse.
failure-restored-unbooked = Databasen återställdes från en kopia innan detta bokades, och { $carrier } har det inte. Inget bokades; skapa en ny försändelse för att försöka igen.
failure-unbooked = Den kunde inte bokas hos { $carrier } i tid. Inget bokades; skapa en ny försändelse för att försöka igen.
failure-nothing-booked = Bokningen kunde inte slutföras, och inget bokades hos { $carrier }. Skapa en ny försändelse för att försöka igen.
failure-partial = { $carrier } tog bara emot { $taken } av { $count } paket: de som har ett spårningsnummer. Boka dem inte på nytt. Avboka den här försändelsen och skapa en ny, eller hämta dokumenten igen och skicka dessa paket.
failure-partial-final = { $carrier } tog bara emot { $taken } av { $count } paket: de som har ett spårningsnummer. Boka dem inte på nytt. Deras dokument kunde inte göras, och { $carrier } ger dem inte här igen. Avboka den här försändelsen och skapa en ny, eller hämta dokumenten för dessa paket hos { $carrier } själv.
failure-partial-documents = { $carrier } tog bara emot { $taken } av { $count } paket: de som har ett spårningsnummer. Boka dem inte på nytt. Deras dokument är klara: skicka dessa paket, eller avboka den här försändelsen och skapa en ny.
failure-cancelled = Bokningen misslyckades, och det som { $carrier } hade av den är avbokat. Skapa en ny försändelse för att försöka igen.
parcel-not-taken = Det här paketet togs inte emot.
note-not-sent = Den kunde inte skickas till { $carrier }.
note-not-tried = Den skickades inte till { $carrier } i tid.
note-no-answer = { $carrier } gav inget svar som visar om bokningen finns.
note-absent = { $carrier } har inte bokningen.
note-no-documents = { $carrier } skickade inga dokument.
note-papers = Dokumenten kunde inte göras av det som { $carrier } skickade.
note-not-kept = Dokumenten kunde inte sparas på den här servern.
note-restored = Databasen återställdes från en kopia innan { $carrier } hade tagit emot den här bokningen härifrån.
note-interrupted = Databasen återställdes från en kopia medan { $carrier } tillfrågades.
note-no-account = Kontot hos { $carrier } kan inte användas.
not-cancellable = Det finns inget att avboka: transportören har inte den här försändelsen.
cancel-too-early = Den här försändelsen håller fortfarande på att bokas. Avboka den när det är klart.
cancel-while-documents = Transportören har den här försändelsen och dess dokument håller på att göras på nytt. Avboka den när det är klart.
outcome-asked = Det är ännu inte känt om { $carrier } har den här försändelsen, och vi fortsätter att fråga. Tills det är känt kan den inte avbokas eller tas bort, och det finns inga dokument. Om { $carrier } har den blir den bokad här.
outcome-unknown = { $carrier } kan ha den här försändelsen och kan inte tillfrågas härifrån. Därför kan den inte avbokas eller tas bort här, och det finns inga dokument. Titta i listan hos { $carrier }. Om den finns där, använd den eller avboka den där. Om den inte finns där, anteckna det på servern med "waybill reconcile --not-booked"; sedan kan försändelsen tas bort.
outcome-restored = Databasen har återställts från en kopia. Försändelsen bokades inte härifrån, men den förlorade databasen kan ha bokat den här försändelsen hos { $carrier }. Därför kan den inte avbokas eller tas bort här, och det finns inga dokument. Titta i listan hos { $carrier }. Om den finns där, använd den eller avboka den där. Om den inte finns där, anteckna det på servern med "waybill reconcile --not-booked"; sedan kan försändelsen tas bort.
cancel-refused = Transportören avvisade avbokningen: { $words }
too-many-secrets = Den hemliga nyckeln har bytts för ofta. En utbytt nyckel signerar i ett dygn till, och högst { $max } får göra det samtidigt. Försök igen senare.
no-cancelling = Den här transportören avbokar inte bokningar.
cancel-unclear = Transportören har inte bekräftat avbokningen: försändelsen kan vara avbokad. Vi fortsätter att fråga. Läs försändelsen på adressen i Location för att se hur det gick, eller avboka den igen.
cancel-unsettled = Transportören har ombetts att avboka den här försändelsen och har inte bekräftat det. Läs försändelsen igen innan du begär dess dokument.
not-deletable = Försändelsen kan inte tas bort, eftersom transportören har den eller kan ha den. Det som transportören har kan avbokas.
never-begun = Den här försändelsen bokades aldrig: dess batch stoppades innan dess. Den finns kvar i batchen som avbokad och kan inte tas bort.
cancelled-not-deletable = Den här försändelsen var bokad hos transportören och är avbokad. Den bevaras och kan inte tas bort.
nothing-to-recover = Det finns inga dokument att hämta: transportören har inte accepterat försändelsen.
cancelled-no-documents = Den här försändelsen är avbokad. Dess dokument görs inte längre.
account-in-use = Kontot kan inte tas bort, eftersom försändelser har bokats med det. Sätt is_active till false i stället.
gone = Länken har gått ut. Hämta dokumentet eller dess försändelse igen för att få en ny länk.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = innehåller { $character } ({ $code }), som inte kan skrivas ut
no-room-on-paper = är för långt för papperet som det skrivs ut på
no-barcode = kan inte skrivas som streckkod
not-gs1 = måste vara GS1-element, t.ex. (00)357012340000000014
document-not-drawn = kan inte ritas i det här formatet
document-self-check = klarade inte kontrollen efter att det hade ritats
document-barcode = har en streckkod som inte kan läsas
document-pages-png = har flera sidor, men en PNG-fil rymmer bara en
document-too-large = är större än någon etikett
document-no-size = anger inte storleken på sina sidor
document-not-pdf = är inte en PDF-fil
document-not-png = är inte en PNG-fil
document-not-zpl = är inte ZPL
document-zpl-command = innehåller kommandot { $command }, som inte är tillåtet: det gör mer än att rita
document-encrypted = är krypterat
document-format = kan inte komma från en transportör i det här formatet

# What is printed on labels and papers.
paper-shipping-label = Etikett
paper-label = Paketetikett
paper-return-label = Returetikett
paper-return = RETUR
paper-from = Från
paper-to = Till
paper-date = Datum
paper-weight = Vikt
paper-reference = Referens
paper-parcel = Paket
paper-pickup-point = Utlämningsställe
paper-cash-on-delivery = Postförskott
paper-cash-with-parcel = Postförskott tas ut med paket { $number }/{ $count }
paper-minimum-age = Kontrollera ålder
paper-leave-at = Får lämnas
paper-dangerous-goods = Farligt gods
paper-limited-quantity = Begränsad mängd
paper-test-label = TESTETIKETT – får inte skickas
paper-page = Sida { $page } av { $pages }
paper-may-open = Får öppnas av tullen
paper-customs-title = Tulldeklaration
paper-commercial-goods = Varuförsäljning
paper-commercial-sample = Varuprov
paper-gift = Gåva
paper-documents = Dokument
paper-returned-goods = Returvaror
paper-other = Annat
paper-description = Beskrivning av innehållet
paper-quantity = Antal
paper-net-weight = Nettovikt
paper-gross-weight = Bruttovikt
paper-value = Värde
paper-hs-code = HS-nummer
paper-origin = Ursprung
paper-total-weight = Total vikt
paper-total-value = Totalt värde
paper-postage = Porto
paper-comments = Anmärkningar
paper-licence = Licensnr
paper-certificate = Certifikatnr
paper-customs-promise = Jag intygar att uppgifterna i denna deklaration är riktiga och att försändelsen inte innehåller farliga föremål eller föremål som är förbjudna enligt lag eller post- eller tullbestämmelser.
paper-customs-promise-dangerous = Jag intygar att uppgifterna i denna deklaration är riktiga och att försändelsen inte innehåller föremål som är förbjudna enligt lag eller post- eller tullbestämmelser.
paper-signature = Datum och underskrift
paper-invoice-commercial = Handelsfaktura
paper-invoice-proforma = Proformafaktura
paper-invoice-number = Fakturanr
paper-invoice-date = Fakturadatum
paper-seller = Säljare
paper-buyer = Köpare
paper-tracking = Spårningsnr
paper-incoterm = Leveransvillkor
paper-reason = Exportorsak
paper-unit-price = Styckpris
paper-amount = Belopp
paper-subtotal = Delsumma
paper-shipping-cost = Frakt
paper-insurance = Försäkring
paper-total = Totalt
paper-not-for-payment = Värdet avser endast tulländamål. Ska inte betalas.
paper-invoice-promise = Vi intygar att uppgifterna i denna faktura är sanna och riktiga.
paper-packing-list = Packlista
paper-pick-list = Plocklista
paper-packing-slip = Följesedel
paper-location = Plats
paper-item = Artikel
paper-number = Nummer
paper-sku = Artikelnr
paper-manifest = Manifest
paper-carrier = Transportör
paper-shipments = Försändelser
paper-parcels = Paket
paper-receiver = Mottagare
paper-destination = Destination
paper-service = Tjänst
paper-handed-over = Överlämnat
paper-received = Mottaget av föraren
paper-qr = Inlämningskod
paper-qr-how = Visa den här koden där du lämnar in paketet. Etiketten skrivs ut där.
paper-valid-until = Giltig till
paper-report = Rapport
paper-period = Period
report-created = Skapad
report-state = Status
report-identifier = Identifierare
report-country = Land
report-postal-code = Postnummer
report-city = Ort
report-booked-at = Bokad
report-price = Beräknat pris
report-currency = Valuta
report-by-day = Försändelser per dag
report-by-service = Försändelser per tjänst
report-by-country = Försändelser per land
report-shipments = Försändelser
state-pending = Väntar
state-processing = Pågår
state-booked = Bokad
state-failed = Misslyckad
state-cancelled = Avbokad
report-other = Övriga
report-failed = Rapporten kunde inte skapas. Begär den igen.
period-too-long = får ligga högst { $max } dagar efter from
nothing-to-manifest = Det finns inget att sätta på ett manifest: alla bokade försändelser hos transportören finns redan på ett.
manifest-raced = En försändelse avbokades eller sattes på ett annat manifest under tiden. Försök igen.
day-not-closed = Transportören har inte bekräftat att dagen är avslutad. Försändelserna förblir öppna. Försök igen.
day-refused = Transportören har inte avslutat dagen, och försändelserna förblir öppna. Transportören sade: { $words }
not-for-manifest = är inte en bokad försändelse hos den här transportören
on-a-manifest = finns redan på ett manifest
merge-one-way = är ett av { $names }, och exakt ett av dem ska anges
merge-no-types = får inte anges tillsammans med { $name }
merge-no-positions = får bara anges tillsammans med { $name }
merge-last-before-first = får inte vara mindre än { $name }
merge-too-far = måste ligga mindre än { $max } platser efter { $name }
merge-unknown-shipment = är inte en av teamets försändelser
merge-no-document = har inget sådant dokument
merge-unknown-batch = är inte en av teamets batchar
merge-format = har en fil som inte kan slås ihop; det kan bara PDF och ZPL
merge-too-large = gör de hopslagna filerna större än 64 MiB
merge-objects = innehåller för många delar för att slås ihop
merge-layers = har lager som är avstängda och som den hopslagna filen skulle skriva ut
nothing-to-merge = Det finns inget att slå ihop: ingen av försändelserna har ett sådant dokument.
document-no-picture = kan inte visas som en bild

# Vad som är fel med en webhook.
url-malformed = måste vara en vanlig URL, t.ex. https://shop.example.com/hooks
url-not-https = måste börja med https://
url-port = måste använda port 443 eller en port från 1024 och uppåt
url-not-public = måste leda till en offentlig adress
not-in-the-past = får inte ligga i framtiden
webhook-not-active = Den här webhooken är inte aktiv. Sätt först is_active till true.
webhook-gone = Mottagaren svarade 410 Gone.
webhook-failing = Alla leveranser misslyckades i 5 dagar.
attempt-not-allowed = Adressen är inte offentlig eller inte tillåten.
attempt-no-address = Värdnamnet kunde inte slås upp.
attempt-no-connection = Mottagaren kunde inte nås.
attempt-no-tls = Det gick inte att upprätta en säker anslutning (TLS).
attempt-too-slow = Mottagaren svarade inte inom 15 sekunder.
attempt-broken = Anslutningen bröts, eller så var svaret inte HTTP.

# Batches
batch-stopped = En batch som har stoppats kan inte startas igen. Skapa en ny batch.
batch-empty = Den här batchen är tom. Lägg till försändelser innan du startar den.
batch-not-started = Den här batchen är inte startad, så det finns inget att stoppa.
batch-completed = Den här batchen är klar, så det finns inget att stoppa.
batch-not-open = Försändelser kan bara läggas till i en batch som inte är startad. Skapa en ny batch.
batch-started = Försändelsens batch är startad, så dess försändelser kan inte tas bort en och en. Stoppa batchen i stället.
# Where a parcel is.
tracking-info-received = Transportören har fått besked om paketet.
tracking-collected = Paketet har hämtats.
tracking-in-transit = Paketet är på väg.
tracking-at-terminal = Paketet har kommit till en terminal.
tracking-in-customs = Paketet är hos tullen.
tracking-out-for-delivery = Paketet är ute för leverans.
tracking-available = Paketet kan hämtas.
tracking-attempt-failed = Paketet kunde inte levereras: ingen tog emot det.
tracking-delivered = Paketet har levererats.
tracking-delayed = Paketet är försenat.
tracking-exception = Något har gått fel med paketet.
tracking-returning = Paketet är på väg tillbaka till avsändaren.
tracking-returned = Paketet är tillbaka hos avsändaren.
tracking-expired = Inget har hörts om paketet på 30 dagar.
tracking-estimate-changed = Den beräknade leveranstiden har ändrats.
tracking-ambiguous = Flera spårningar har det här numret. Ange även carrier_code eller shipment_uuid.
feed-expired = Den här positionen i flödet har gått ut. Läs alla spårningar igen och följ sedan flödet utan markör.
feed-restored = Databasen har återställts från en kopia som inte känner till den här positionen i flödet. Läs alla spårningar igen och följ sedan flödet utan markör.
history-lost = Databasen har återställts från en kopia. Det som hände mellan { $after } och { $until } kan saknas här, och du kan ha sett en del av det. Läs allt på nytt.
callback-unreadable = är inte ett meddelande från den här transportören
report-trackings = Spårningar
report-trackings-by-day = Spårningar per dag
report-trackings-by-state = Spårningar per status
report-trackings-by-service = Spårningar per tjänst
report-expected = Väntas senast
report-delivered-at = Levererad
report-returned-at = Returnerad
report-last-event = Senaste händelse
report-last-heard = Senast uppdaterad
tracking-state-pending = Väntar
tracking-state-info-received = Aviserad
tracking-state-in-transit = På väg
tracking-state-out-for-delivery = Ute för leverans
tracking-state-available = Klar att hämta
tracking-state-attempt-fail = Leveransförsök misslyckades
tracking-state-delivered = Levererad
tracking-state-exception = Avvikelse
tracking-state-returned = Returnerad
tracking-state-expired = Utgången
report-print-jobs = Utskriftsjobb
report-print-jobs-by-day = Utskriftsjobb per dag
report-print-jobs-by-state = Utskriftsjobb per status
report-print-jobs-by-printer = Utskriftsjobb per skrivare
report-document = Dokument
report-format = Format
report-printer = Skrivare
report-no-printer = Ingen skrivare
report-copies = Kopior
report-asked-by = Begärd av
report-until-printed = Tills utskriven
report-failure = Fel
print-state-pending = Väntar
print-state-queued = Hos skrivaren
print-state-printing = Skrivs ut
print-state-printed = Utskriven
print-state-failed = Misslyckad
print-state-unknown = Okänd
print-source-api = Anrop
print-source-booking = Bokning
# Service points and rates.
not-a-clock-time = måste vara ett klockslag, t.ex. 07:30
not-opening-hours = måste vara öppettider, t.ex. mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = måste vara ett land, t.ex. NO, eller ett land med början av ett postnummer, t.ex. NO:9
not-heavier = måste vara tyngre än from_weight
overlapping-rates = överlappar rad { $row } för samma tjänst och zon
not-bounds = måste vara fyra tal: minLat,minLng,maxLat,maxLng, de mindre först
not-degrees = måste vara ett antal grader från -{ $max } till { $max }
# Files
no-such-range = Det begärda området ligger utanför filen, som har { $size } byte.

# What a team may have only so much of.
quota-accounts = Teamet har { $max } konton hos transportörer, och det är gränsen. Ett konto som inte behövs kan tas bort. Be annars den som driver servern om en högre gräns.
quota-webhooks = Teamet har { $max } webhookar, och det är gränsen. En som inte behövs kan tas bort. Be annars den som driver servern om en högre gräns.
quota-templates = Teamet har { $max } mallar, och det är gränsen. En som inte behövs kan tas bort. Be annars den som driver servern om en högre gräns.
quota-tokens = Användaren har { $max } token, och det är gränsen. Återkalla en som inte behövs, eller sätt en högre gräns med --quotas.
quota-batches = Teamet har { $max } batchar som inte är klara, och det är gränsen. Starta eller stoppa en av dem och vänta tills den är klar.
quota-reports = { $max } av teamets rapporter är inte klara än, och det är gränsen. Vänta tills en av dem är klar och försök sedan igen.
quota-streams = { $max } strömmar skickas till teamet, och det är gränsen. Avsluta en av dem, eller läs batchen utan ström.
quota-option-bytes = får vara högst { $max } byte som JSON
quota-name-accounts = Konton hos transportörer
quota-name-webhooks = Webhookar
quota-name-templates = Mallar
quota-name-tokens = Dina token
quota-name-batches = Batchar som inte är klara
quota-name-reports = Rapporter som inte är klara än
quota-name-streams = Strömmar till teamet
quota-name-option-bytes = Byte i ett kontos alternativ och i dess inloggningsuppgifter

# Skrivare, var och en efter fältets sökväg.
unknown-document = är inte ett av teamets dokument
printer-uri-scheme = måste börja med ipp:// eller ipps://
printer-uri-extra = får inte ha användare, lösenord, fråga eller fragment
printer-uri-length = får vara högst 1 023 byte
printer-uri-malformed = måste vara en vanlig adress som ipp://192.168.10.21/ipp/print
printer-uri-port = måste använda port 443, 631 eller en port från 1024 och uppåt
printer-uri-of-agent = kan inte ändras: en utskriftsagent når denna skrivare
printer-known = är redan skrivaren ”{ $name }”
no-print-rule = måste anges: ingen utskriftsregel passar denna fil ({ $file })
printer-cannot-take = tar inte { $format }; den tar: { $known }
printer-copies-max = får vara högst { $max }: skrivaren gör inte fler kopior av { $format }
print-file-too-large = är större än { $max } MiB, och mer skickas inte till en skrivare
copies-too-large = är för många: tillsammans är de större än { $max } MiB, och mer skickas inte till en skrivare

# Utskriftsjobb.
printer-full = { $max } jobb väntar på denna skrivare, och det är gränsen. Vänta tills några är utskrivna.
printer-has-jobs = Skrivaren har jobb som inte är klara, och bara dess nuvarande adress kan tillfrågas om dem. Försök igen när de är det.
print-job-not-cancellable = Det kan redan ha skickats till skrivaren, så det kan inte avbokas här.
print-no-rule = Ingen utskriftsregel passar denna fil ({ $said }).
print-cannot-take = Skrivaren tar inte detta format ({ $said }).
print-takes-nothing = Skrivaren tar inget av de format som är kända här ({ $said }).
print-too-many-copies = Skrivaren gör inte så många kopior (högst { $said }).
print-too-large = Filen är med sina kopior större än { $said } MiB, och mer skickas inte till en skrivare.
print-refused = Skrivaren avvisade det: { $said }
print-expired = Det förföll: skrivaren tog det inte i tid.
print-printer-removed = Skrivaren finns inte längre, och inget skickades.
print-cancelled = Det avbokades innan det skickades till skrivaren.
print-shipment-cancelled = Försändelsen avbokades innan det skickades till skrivaren.
print-file-gone = Filen finns inte längre lagrad.
print-cancelled-at-printer = Det avbokades på skrivaren. { $said }
print-stopped-by-printer = Skrivaren stoppade det. { $said }
print-forgotten = Skrivaren känner inte längre till jobbet. Titta på skrivaren innan du skriver ut det igen.
print-not-proved = Skrivaren säger att den är klar, men inte att den hade hela filen. Titta på skrivaren innan du skriver ut det igen.
print-interrupted = Förbindelsen till skrivaren bröts medan det skickades. Titta på skrivaren innan du skriver ut det igen.
print-not-printed = Förbindelsen till skrivaren bröts medan det skickades, och det skrevs inte ut.
print-unreachable = Skrivaren har det men kan inte nås. Titta på skrivaren innan du skriver ut det igen.
quota-printers = Teamet har { $max } skrivare, och det är gränsen. Ta bort en som inte behövs, eller be den som driver servern om en högre gräns.
quota-name-printers = Skrivare
# Vad som är fel med en skrivares adress. Varje text står efter fältets sökväg.
printer-broken = måste leda till en skrivare som svarar; anslutningen bröts
printer-put-off = måste leda till en skrivare som svarar; den sade: { $said }
printer-refused = måste leda till en skrivare som släpper in oss; den sade: { $said }
printer-not-allowed = måste leda till ett nätverk där skrivare är tillåtna på den här servern
printer-unknown-name = måste ha ett värdnamn som kan slås upp
printer-no-connection = måste leda till en skrivare som svarar; ingen tar emot anslutningar där
printer-timed-out = måste leda till en skrivare som svarar; den svarade inte i tid
printer-not-ipp = måste leda till en skrivare; det som svarar talar inte IPP
printer-no-such-queue = måste ange en kö som skrivarservern har
printer-wants-password = måste leda till en skrivare som inte kräver lösenord
printer-wants-tls = måste börja med ipps://, eftersom den här skrivaren kräver TLS
printer-not-trusted = måste leda till en skrivare med ett certifikat som den här servern litar på

# Utskriftsagenter.
forbidden-agent = Denna token är en utskriftsagents, och detta är inte för utskriftsagenter.
forbidden-client = Ett program som agerar för sig självt har inget konto: detta är för användare.
user-deleted = Användaren har tagits bort under tiden.
forbidden-app = En app kan inte göra detta, för det som den skapar skulle gälla längre än det som användaren har gått med på.
forbidden-expiring = En token som upphör kan inte göra detta, för det som den skapar upphör inte.
forbidden-one-team = Denna token gäller i ett team, och detta rör dess användare i alla team. Använd en token som inte är bunden till ett team.
registration-code-not-good = är inte en kod som gäller nu; be en administratör om en ny
agent-protocol = nämner inget protokoll som den här servern talar; installera version { $version } av agenten
agent-session-over = En annan session för denna utskriftsagent har börjat. Det här programmet måste sluta skriva ut.
printer-reported = Utskriftsagenten rapporterar fortfarande denna skrivare. Ta bort den där, eller ta bort utskriftsagenten.
print-agent-silent = Utskriftsagenten har det och har inte hörts sedan { $said }. Titta på skrivaren innan du skriver ut det igen.
print-agent-replaced = Utskriftsagenten började om utan det som den hade sparat. Titta på skrivaren innan du skriver ut det igen.
print-agent-removed = Utskriftsagenten har tagits bort, och den hade det. Titta på skrivaren innan du skriver ut det igen.
print-agent-failed = Utskriftsagenten gav upp det. { $said }
print-agent-unsure = Utskriftsagenten vet inte om det skrevs ut. Titta på skrivaren innan du skriver ut det igen. { $said }
print-restored = Databasen har återställts från en kopia, och den som gick förlorad kan ha skrivit ut det. Titta på skrivaren innan du skriver ut det igen.
quota-print-agents = Teamet har { $max } utskriftsagenter, och det är gränsen. Ta bort en som inte behövs, eller be den som driver servern om en högre gräns.
quota-name-print-agents = Utskriftsagenter

# Sidor där människor loggar in och ger en app åtkomst.
page-sign-in = Logga in
page-sign-in-for = { $app } ber dig att logga in.
page-email = E-postadress
page-password = Lösenord
page-forgotten = Har du glömt lösenordet? Den som driver den här servern kan ge dig ett nytt.
page-wrong-password = E-postadressen eller lösenordet är fel.
page-too-many-sign-ins = För många inloggningar har misslyckats. Försök igen om { $minutes ->
    [one] { $minutes } minut
   *[other] { $minutes } minuter
}.
page-busy = För många loggar in just nu. Försök igen om några sekunder.
page-consent = Ge { $app } åtkomst?
page-way-back = Efteråt skickas du till { $host }.
page-may = Det här får appen göra
page-signed-in = Inloggad som { $name }
page-sign-out = Logga ut
page-which-team = I vilket team?
page-in-team = I teamet { $team }.
page-no-team = Du är inte med i något team, så det finns inget att tillåta. Be en administratör för ett team att lägga till dig.
page-choose-team = Välj ett team.
page-allow = Tillåt
page-deny = Neka
page-error = Det gick inte
page-refused = Formuläret godtogs inte
page-refused-why = Det är äldre än en timme eller gjordes inte för den här webbläsaren. Gå tillbaka, läs in sidan igen och försök en gång till. Webbläsaren måste tillåta kakor.
page-unknown-app = Appen är okänd
page-unknown-app-why = Appen som skickade hit dig är inte registrerad på den här servern. Du kan stänga sidan.
page-unknown-redirect = Vägen tillbaka är okänd
page-unknown-redirect-why = Adressen som du skulle skickas till efteråt är inte registrerad för den här appen, så du skickas inte dit. Du kan stänga sidan.
page-other-team = Du är inte med i det teamet
page-other-team-why = Du kan bara ge åtkomst till ett team som du själv är med i.
page-not-a-form = Hit kan bara ett formulär från de här sidorna skickas.
not-a-domain = måste vara en domän som shop.example.com
page-link-over = Den här länken fungerar inte
page-link-over-why = Den är använd, ersatt eller återkallad, den är för gammal eller kopierades inte hel. Be den som gav dig den om en ny.
page-invited = Du är inbjuden
page-invited-to = Till teamet { $team }.
page-invited-as = Du kommer in som { $email }.
page-your-name = Ditt namn
page-new-password = Välj ett lösenord
page-join = Gå med i teamet
page-no-password = Ditt konto har inget lösenord än
page-no-password-why = Be den som driver servern att ge ditt konto ett lösenord och öppna länken igen.
page-first-run = Välkommen till Waybill
page-first-run-why = Du är först här: du driver den här servern och ditt första team.
page-team-name = Teamets namn
page-team-domain = Teamets domän, till exempel shop.example.com
page-begin = Börja
page-welcome-done = Du är med i teamet { $team }
page-welcome-next = Du är inloggad i den här webbläsaren. En administratör i teamet skapar token för program.
page-welcome-docs = Läs hur program anropar den här servern
wrong-current-password = är inte det nuvarande lösenordet
password-is-email = får inte vara e-postadressen

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Allt som användarens roll ger rätt till
    [teams-read] Se team och deras inställningar
    [teams-write] Ändra teamets inställningar
    [service-points-read] Hitta utlämningsställen
    [carriers-read] Se katalogen över transportörer
    [routes-read] Se de transportörer och tjänster som teamet kan boka
    [delivery-options-read] Hitta leveranssätt för en försändelse
    [shipments-read] Se försändelser
    [shipments-write] Boka, avboka och ta bort försändelser
    [tracking-read] Se spårning
    [booking-batches-read] Se bokningsbatcher
    [booking-batches-write] Skapa, fylla, starta och stoppa bokningsbatcher
    [shipment-templates-read] Se försändelsemallar
    [shipment-templates-write] Skapa, ersätta och ta bort försändelsemallar
    [documents-read] Se dokument, manifest och rapporter
    [documents-write] Skapa manifest och rapporter
    [printers-read] Se skrivare
    [printers-write] Lägga till, ändra och ta bort skrivare
    [print-jobs-read] Se utskriftsjobb
    [print-jobs-write] Skriva ut dokument
    [webhooks-read] Se webhookar och det som har levererats till dem
    [webhooks-write] Lägga till, ändra, testa och ta bort webhookar
    [carrier-accounts-read] Se konton hos transportörer
    [carrier-accounts-write] Lägga till, ändra och ta bort konton hos transportörer
    [wms-read] Se lagret
    [wms-write] Ändra lagret
    [members-read] Se vilka som är med i teamet
    [members-write] Ändra medlemmars roller och ta bort medlemmar
    [tokens-read] Se vilka token och appar som har åtkomst till teamet
    [tokens-write] Skapa och återkalla token och avsluta appars åtkomst
    [logs-read] Se teamets loggar och händelser
    [stats-read] Se teamets siffror
    [operator-read] Se hur installationen mår
    [operator-write] Lägga till team i installationen
   *[other] { $scope }
}

# Medlemmar, inbjudningar och token
last-admin = Den här medlemmen är teamets enda administratör, och ett team behöver en. Gör först en annan medlem till administratör.
last-admin-of = Du är den enda administratören i { $teams }, och ett team behöver en. Gör först en annan medlem till administratör eller ta bort teamet.
not-the-domain = måste vara teamets domän, { $domain }, så att inget team tas bort av misstag
team-is-booking = Teamet kan inte tas bort medan dess försändelser eller batchar behandlas: { $ids }. Försök igen när de är klara.
team-is-printing = Teamet kan inte tas bort medan det har utskriftsjobb som inte är klara: { $ids }. Försök igen när de är det.
member-already = är adressen till någon som redan är med i teamet
invitation-accepted = Inbjudan har accepterats. Ta bort medlemmen i stället.
token-of-another = Denna token gäller i alla användarens team, så bara användaren själv kan återkalla den.
token-too-long = får ligga högst fem år framåt
token-outlives-yours = får inte ligga efter slutet på din egen token och får inte utelämnas
role-not-yours = är mer än din egen token ger rätt till; en administratör får göra allt
scope-not-yours = är en behörighet som din egen token saknar; använd en token som har den
scope-not-of-a-team = är för dem som driver servern; ett teams token kan inte ha den
not-in-the-future = måste ligga i framtiden
quota-invitations = Teamet har { $max } öppna inbjudningar, och det är gränsen. Återkalla en som inte behövs, eller be den som driver servern om en högre gräns.
quota-name-invitations = Öppna inbjudningar
quota-oauth-clients = Teamet har { $max } OAuth-klienter, och det är gränsen. Ta bort en som inte behövs, eller be den som driver servern om en högre gräns.
quota-name-oauth-clients = OAuth-klienter
# PostNord and GLS
addon-not-on-route = erbjuds inte av transportören på den här sträckan
addon-excludes = kan inte kombineras med tilläggstjänsten { $addon }
addon-excludes-dangerous-goods = kan inte kombineras med farligt gods
account-option-missing = kräver inställningen { $option } på kontot hos transportören
identifier-required = måste ha ett av dessa: { $fields }

# DAO, Budbee and Bring
insurance-currency = måste försäkra i en av dessa valutor: { $choices }
insurance-too-high = får försäkra för högst { $max }
address-lines-too-long = får ha högst { $max } tecken sammanlagt på raderna efter den första

# Lagret
wms-space-at-end = får inte börja eller sluta med ett mellanslag
wms-mixed-length-units = måste anges i samma längdenhet för hela artikeln, inte i { $units }
wms-delta-zero = får inte vara 0
wms-own-items = måste utelämnas: innehållet i ett paket kommer från raderna och katalogen
wms-no-such-parcel = är inte platsen för ett paket i försändelsen, som har { $count }, räknat från 0
wms-empty-parcel = innehåller inget: ingen av raderna hör till det här paketet
wms-item-field = anger en katalogartikel vars { $field } { $problem }
wms-unknown-sku = är inte SKU för en katalogartikel
wms-sku-taken = är redan SKU för en katalogartikel
wms-too-few = Endast { $available } kan tas från denna plats: resten finns inte där eller är reserverat.
wms-too-many = Det finns redan { $on_hand } på denna plats, och en plats rymmer högst { $max }.
wms-item-in-stock = Artikeln kan inte tas ut ur katalogen: det finns { $on_hand } i lager.
wms-item-wanted = Artikeln kan inte tas ut ur katalogen: en plockorder som fortfarande är öppen behöver den.
wms-is-received = Plockordern är mottagen och har inte fått några varor än, så det kan inte göras nu.
wms-is-allocated = Plockordern är tilldelad, så det kan inte göras nu.
wms-is-backordered = Plockordern är restnoterad och har inte fått några varor, så det kan inte göras nu.
wms-is-picking = Plockordern plockas, så det kan inte göras nu.
wms-is-packed = Plockordern är packad, så det kan inte göras längre.
wms-is-shipped = Plockordern är skickad, så det kan inte göras längre.
wms-is-cancelled = Plockordern är avbokad, så det kan inte göras längre.
wms-too-scattered = Varorna ligger på mer än { $max } platser. Lägg ihop några av dem, eller skapa två plockordrar.
wms-shipment-under-way = Försändelsen för denna packade plockorder bokas just nu. Vänta tills det är klart.
wms-shipment-held = Transportören har försändelsen för denna packade plockorder, eller kan ha den. Få det avgjort först: hämta dess dokument igen eller avboka den.
wms-nothing-to-pick = Plockordern har inte fått några varor, så det finns inget att plocka.
