# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = ist erforderlich
not-an-object = muss ein Objekt sein
not-a-list = muss eine Liste sein
not-text = muss eine Zeichenkette sein
not-a-number = muss eine Zahl sein
not-an-integer = muss eine ganze Zahl sein
not-in-range = muss eine ganze Zahl von { $min } bis { $max } sein
not-a-boolean = muss true oder false sein
not-a-uuid = muss eine UUID sein, zum Beispiel 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = muss aus Datum und Uhrzeit mit UTC-Offset bestehen, zum Beispiel 2026-11-20T17:00:00+01:00
not-a-known-time = muss ein Zeitpunkt von { $min } bis { $max } sein
not-a-date = muss ein Datum sein, zum Beispiel 2026-11-20
not-one-of = muss einer der folgenden Werte sein: { $choices }
not-a-currency = muss ein ISO-4217-Währungscode sein, zum Beispiel DKK
not-money = ist kein heutiges Zahlungsmittel; verwenden Sie einen Währungscode wie EUR
not-a-country = muss ein ISO-3166-Ländercode aus zwei Großbuchstaben sein, zum Beispiel DK
not-a-language = muss einer der Sprachcodes en, da, sv, nb, fi, de sein
not-an-email = muss eine E-Mail-Adresse sein
not-a-phone = muss eine Telefonnummer sein, zum Beispiel +4530274735
unknown-field = ist kein bekanntes Feld
unknown-field-near = ist kein bekanntes Feld; meinten Sie { $near }?
fixed-field = kann nicht geändert werden
duplicate-field = kommt im selben Objekt zweimal vor
duplicate-value = kommt in der Liste zweimal vor
blank = darf nicht leer sein
too-long = { $max ->
    [one] darf höchstens { $max } Zeichen lang sein
   *[other] darf höchstens { $max } Zeichen lang sein
}
too-short = { $min ->
    [one] muss mindestens { $min } Zeichen lang sein
   *[other] muss mindestens { $min } Zeichen lang sein
}
control-character = darf keine Steuerzeichen enthalten
too-few = { $min ->
    [one] muss mindestens { $min } Eintrag enthalten
   *[other] muss mindestens { $min } Einträge enthalten
}
too-many = { $max ->
    [one] darf höchstens { $max } Eintrag enthalten
   *[other] darf höchstens { $max } Einträge enthalten
}
not-positive = muss größer als 0 sein
too-large = darf höchstens { $max } sein
too-small = muss mindestens { $min } sein
too-many-decimals = darf höchstens 3 Nachkommastellen haben
unit-missing = ist erforderlich, weil { $path } einen Wert hat
unknown-printer = ist kein Drucker dieses Teams

# What is wrong with a body as a whole.
body-not-json = ist kein gültiges JSON (Byte { $offset })
body-not-object = muss ein JSON-Objekt sein
body-too-deep = ist zu tief verschachtelt
body-too-many = hat mehr als { $max } Werte
body-missing = muss ein JSON-Objekt sein, aber die Anfrage hat keinen Body

# What is wrong with a query parameter or header.
unknown-parameter = ist kein bekannter Parameter
unknown-parameter-near = ist kein bekannter Parameter; meinten Sie { $near }?
duplicate-parameter = ist doppelt angegeben
bad-cursor = ist kein gültiger Cursor für diese Liste
bad-idempotency-key = muss 16 bis 128 Zeichen lang sein und darf nur A-Z, a-z, 0-9, Punkt, Unterstrich und Bindestrich enthalten
idempotency-key-reused = wurde bereits mit einem anderen Anfrage-Body verwendet; verwenden Sie für eine neue Anfrage einen neuen Schlüssel

# Whole answers.
invalid = Die Anfrage ist ungültig.
invalid-at = Die Anfrage ist ungültig: { $path } { $problem }
unauthenticated = Senden Sie ein gültiges Zugriffstoken als "Authorization: Bearer …".
token-malformed = Dieses Zugriffstoken wurde nicht von uns ausgestellt: Die Prüfziffern stimmen nicht. Prüfen Sie, ob es vollständig kopiert wurde.
not-from-carrier = Die Nachricht beweist nicht, dass sie vom Transporteur kommt.
forbidden-scope = Dem Token fehlt die Berechtigung { $scope }. Verwenden Sie ein Token, das sie hat.
forbidden-role = Nur ein Administrator des Teams darf dies tun.
not-found = Dies gibt es nicht, oder es gehört nicht zu diesem Team.
unknown-path = Diesen Pfad gibt es nicht. Die API ist unter /docs beschrieben.
method-not-allowed = Die Methode { $method } ist hier nicht zulässig. Zulässig: { $allowed }.
conflict-version = Die Ressource wurde geändert, seit Sie sie gelesen haben. Lesen Sie sie erneut und wiederholen Sie Ihre Änderung.
conflict-in-progress = Eine frühere Anfrage zum selben Vorgang wird noch verarbeitet. Versuchen Sie es in Kürze erneut.
replayed-deleted = Was mit diesem Idempotency-Key angelegt wurde, ist gelöscht. Verwenden Sie einen anderen Schlüssel, um etwas Neues anzulegen.
too-many-requests = Das Anfragelimit ist erreicht. Versuchen Sie es in { $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
} erneut.
payload-too-large = Der Anfrage-Body ist größer als { $max } Byte.
chunks-too-small = Der Body kommt in zu vielen kleinen Stücken. Senden Sie ihn in größeren oder mit Content-Length.
unsupported-media-type = Senden Sie den Body unkomprimiert als application/json.
bad-request = Die Anfrage konnte nicht gelesen werden.
two-credentials = Die Anfrage hat zwei Zugriffstoken. Senden Sie eines davon: als Bearer-Token oder als api_token.
legacy-invalid = Die angegebenen Daten sind ungültig.
legacy-in-progress = Die Sendung wird noch gebucht. Senden Sie dieselbe Anfrage in einigen Sekunden erneut.
request-timeout = Die Übertragung der Anfrage hat zu lange gedauert. Senden Sie sie erneut.
internal = Bei uns ist ein Fehler aufgetreten. Bitte teilen Sie uns die Request-ID { $id } mit.
unavailable = Der Server kann derzeit nicht antworten. Versuchen Sie es in Kürze erneut.

# What is wrong with a shipment.
not-an-hs-code = muss eine Zolltarifnummer (HS-Code) aus 6 bis 10 Ziffern sein
not-a-un-number = muss aus UN und vier Ziffern bestehen, zum Beispiel UN1263
not-after-start = muss nach start liegen
in-the-past = darf nicht in der Vergangenheit liegen
not-after-from = muss nach from liegen
mixed-currencies = muss in der gesamten Sendung in derselben Währung angegeben sein, nicht in { $units }
mixed-weight-units = muss in der gesamten Sendung in derselben Gewichtseinheit angegeben sein, nicht in { $units }
mixed-length-units = muss in der gesamten Sendung in derselben Längeneinheit angegeben sein, nicht in { $units }
net-above-gross = muss mindestens { $net } sein, weil der Inhalt so viel wiegt
no-format = bietet Versandetiketten als { $offered } an, die Einstellungen des Teams verlangen aber { $wanted }
legacy-no-pdf = verlangt ein Versandetikett als PDF-Datei, und dieses Format fehlt in den Einstellungen des Teams
legacy-no-label = hat kein Versandetikett als PDF-Datei
legacy-several-websites = muss im Pfad stehen, weil das Token für mehrere Teams gilt
legacy-carrier-words = { $words }
no-size = bietet Versandetiketten in { $offered } an, die Einstellungen des Teams verlangen aber { $wanted }
not-the-first-size = muss die erste aus sizes sein oder weggelassen werden

# What a service does not offer, or asks for.
characters-not-accepted = enthält Zeichen, die dieser Service nicht akzeptiert: { $characters }
not-served-from = ist kein Land, aus dem dieser Service versendet; Absendeländer: { $countries }
not-served-to = ist kein Land, in das dieser Service liefert; Zielländer: { $countries }
not-served-within = muss ein anderes Land sein: Dieser Service liefert nicht innerhalb von { $country }
not-a-postal-code = ist keine Postleitzahl in { $country }; erwartet wird die Form { $example }
not-an-area-code = muss der Bundesstaat oder die Provinz in zwei Großbuchstaben sein, zum Beispiel NY
pickup-point-not-offered = muss entfallen: Dieser Service liefert nicht an Abholstellen
addon-not-offered = ist keine Zusatzleistung dieses Services; angeboten werden { $addons }
no-addon-offered = ist keine Zusatzleistung dieses Services; er bietet keine an
addon-required = muss die Zusatzleistung { $addon } enthalten
addon-without-value = muss entfallen: Für diese Zusatzleistung wird kein Wert angegeben
not-an-amount = muss ein Betrag in der kleinsten Einheit der Währung sein, zum Beispiel { "{" }"value": 50000, "currency": "EUR"{ "}" }
addon-phone = muss Text mit einer Telefonnummer samt Landesvorwahl sein, zum Beispiel "+4915112345678"
addon-email = muss Text mit einer E-Mail-Adresse sein, zum Beispiel "ada@example.com"
addon-age = muss einer dieser Texte sein: { $choices }
addon-text = { $max ->
    [one] muss Text mit höchstens { $max } Zeichen sein, zum Beispiel "A"
   *[other] muss Text mit höchstens { $max } Zeichen sein, zum Beispiel "Im Schuppen"
}
not-an-addon-value = muss sein, was die Zusatzleistung verlangt: Text wie "+4915112345678" oder ein Betrag wie { "{" }"value": 50000, "currency": "EUR"{ "}" }; /v2/carriers zeigt, was davon
required-with-addon = ist mit der Zusatzleistung { $addon } erforderlich
dangerous-goods-not-allowed = muss leer sein: Dieser Service befördert kein Gefahrgut
limited-quantity-only = muss true sein: Dieser Service befördert Gefahrgut nur in begrenzten Mengen
girth-too-large = ist zu groß: Die längste Seite und zweimal die beiden anderen dürfen zusammen höchstens { $max } messen
sides-too-long = ist zu groß: Länge, Breite und Höhe dürfen zusammen höchstens { $max } messen
weights-too-heavy = darf zusammen höchstens { $max } wiegen
required-by-customs = ist erforderlich, weil die Sendung eine Zollgrenze überschreitet
required-from = ist erforderlich, weil die Sendung aus { $country } kommt
required-to = ist erforderlich, weil die Sendung nach { $country } geht
one-required = ist erforderlich, oder eines dieser Felder: { $fields }
must-be-left-out = muss entfallen: Dieser Service nimmt es nicht an

# Was an einer Buchung nicht stimmt.
unknown-service = ist kein Service eines Transporteurs; siehe /v2/carriers
no-account = erfordert ein aktives Konto bei { $carrier }; legen Sie es zuerst an
no-merchant = ist erforderlich, weil in den Einstellungen des Teams keine Absenderadresse steht
no-pickup-point = ist erforderlich: In der Nähe des Kunden ist keine Abholstelle bekannt
unknown-pickup-point = ist keine Abholstelle dieses Services; die nächsten sind { $near }
no-such-pickup-point = ist keine Abholstelle dieses Service
no-points-in-country = kann nicht gewählt werden: Auf diesem Server ist keine Abholstelle von { $carrier } in { $country } bekannt
unknown-template = ist keine Vorlage dieses Teams
template-pickup-point = nennt eine Abholstelle, aber dieser Service liefert nicht an Abholstellen; senden Sie delivery.pickup_point als null oder wählen Sie einen anderen Service
template-point-unfit = nennt die Abholstelle { $code }, die es bei diesem Service im Land des Kunden nicht gibt; senden Sie delivery.pickup_point mit einem anderen Code, oder als null für die nächste
carrier-not-bookable = nennt { $carrier }: Dieser Transporteur kann mit dieser Version noch nicht gebucht werden
credentials-refused = wurde vom Transporteur abgelehnt: { $words }
not-a-time-zone = ist keine Zeitzone, zum Beispiel Europe/Berlin
unknown-carrier = ist kein Transporteur des Katalogs

# Was aus einer Buchung wurde.
failure-rejected = { $carrier } hat die Buchung abgelehnt. Korrigieren Sie die Angaben und legen Sie eine neue Sendung an.
failure-technical = Die Buchung konnte nicht abgeschlossen werden. Falls { $carrier } sie angenommen hat, rufen Sie die Dokumente erneut ab; buchen Sie nicht noch einmal.
failure-documents = { $carrier } hat die Buchung, aber die Dokumente konnten nicht erstellt werden. Rufen Sie die Dokumente erneut ab oder stornieren Sie die Sendung; buchen Sie nicht noch einmal.
failure-documents-final = { $carrier } hat die Buchung, aber die Dokumente konnten nicht erstellt werden, und { $carrier } gibt sie hier nicht noch einmal heraus. Holen Sie sie bei { $carrier } selbst oder stornieren Sie die Sendung; buchen Sie nicht noch einmal.
failure-deadline = { $carrier } hat nicht rechtzeitig geantwortet; die Buchung liegt dort möglicherweise vor. Buchen Sie nicht noch einmal; eine späte Zusage aktualisiert diese Sendung.
failure-interrupted = Die Datenbank wurde aus einer Kopie wiederhergestellt, während { $carrier } gefragt wurde; die Buchung liegt dort möglicherweise vor. Buchen Sie nicht noch einmal; eine späte Zusage aktualisiert diese Sendung.
failure-unknown = { $carrier } hat die Buchung möglicherweise und kann von hier aus nicht gefragt werden. Sehen Sie dort nach, bevor Sie erneut buchen.
failure-restored = Die Datenbank wurde aus einer Kopie wiederhergestellt. Von hier wurde die Sendung nicht gebucht, aber die verlorene Datenbank kann sie bei { $carrier } gebucht haben. Sehen Sie in der Liste von { $carrier } nach, oder führen Sie auf dem Server „waybill reconcile“ aus. Liegt die Buchung dort vor, buchen Sie nicht noch einmal: Nutzen Sie sie oder stornieren Sie sie dort. Wenn nicht, legen Sie eine neue Sendung an.
failure-restored-unbooked = Die Datenbank wurde aus einer Kopie wiederhergestellt, bevor dies gebucht wurde, und { $carrier } hat es nicht. Es wurde nichts gebucht; legen Sie eine neue Sendung an, um es noch einmal zu versuchen.
failure-unbooked = Sie konnte nicht rechtzeitig bei { $carrier } gebucht werden. Es wurde nichts gebucht; legen Sie eine neue Sendung an, um es noch einmal zu versuchen.
failure-nothing-booked = Die Buchung konnte nicht abgeschlossen werden, und bei { $carrier } wurde nichts gebucht. Legen Sie eine neue Sendung an, um es noch einmal zu versuchen.
failure-partial = { $carrier } hat nur { $taken } von { $count } Paketen angenommen: die mit einer Sendungsnummer. Buchen Sie diese nicht noch einmal. Stornieren Sie diese Sendung und legen Sie eine neue an, oder rufen Sie die Dokumente erneut ab und versenden Sie diese Pakete.
failure-partial-final = { $carrier } hat nur { $taken } von { $count } Paketen angenommen: die mit einer Sendungsnummer. Buchen Sie diese nicht noch einmal. Ihre Dokumente konnten nicht erstellt werden, und { $carrier } gibt sie hier nicht noch einmal heraus. Stornieren Sie diese Sendung und legen Sie eine neue an, oder holen Sie die Dokumente dieser Pakete bei { $carrier } selbst.
failure-partial-documents = { $carrier } hat nur { $taken } von { $count } Paketen angenommen: die mit einer Sendungsnummer. Buchen Sie diese nicht noch einmal. Ihre Dokumente sind fertig: Versenden Sie diese Pakete, oder stornieren Sie diese Sendung und legen Sie eine neue an.
failure-cancelled = Die Buchung ist fehlgeschlagen, und was { $carrier } davon hatte, ist storniert. Legen Sie eine neue Sendung an, um es noch einmal zu versuchen.
parcel-not-taken = Dieses Paket wurde nicht angenommen.
note-not-sent = Sie konnte nicht an { $carrier } gesendet werden.
note-not-tried = Sie wurde nicht rechtzeitig an { $carrier } gesendet.
note-no-answer = { $carrier } hat keine Antwort gegeben, aus der hervorgeht, ob die Buchung besteht.
note-absent = { $carrier } hat die Buchung nicht.
note-no-documents = { $carrier } hat keine Dokumente gesendet.
note-papers = Aus dem, was { $carrier } gesendet hat, konnten keine Dokumente erstellt werden.
note-not-kept = Die Dokumente konnten auf diesem Server nicht gespeichert werden.
note-restored = Die Datenbank wurde aus einer Kopie wiederhergestellt, bevor { $carrier } diese Buchung von hier angenommen hatte.
note-interrupted = Die Datenbank wurde aus einer Kopie wiederhergestellt, während { $carrier } gefragt wurde.
note-no-account = Das Konto bei { $carrier } kann nicht verwendet werden.
not-cancellable = Es gibt nichts zu stornieren: Der Transporteur hat diese Sendung nicht.
cancel-too-early = Diese Sendung wird noch gebucht. Stornieren Sie sie, sobald das abgeschlossen ist.
cancel-while-documents = Der Transporteur hat diese Sendung, und ihre Dokumente werden erneut erstellt. Stornieren Sie sie, sobald das abgeschlossen ist.
outcome-asked = Es ist noch nicht bekannt, ob { $carrier } diese Sendung hat; wir fragen weiter. Bis dahin kann sie weder storniert noch gelöscht werden, und es gibt keine Dokumente. Hat { $carrier } sie, wird sie hier gebucht.
outcome-unknown = { $carrier } hat diese Sendung möglicherweise und kann von hier aus nicht gefragt werden. Deshalb kann sie hier weder storniert noch gelöscht werden, und es gibt keine Dokumente. Sehen Sie in der Liste von { $carrier } nach. Liegt sie dort vor, nutzen Sie sie oder stornieren Sie sie dort. Wenn nicht, vermerken Sie das auf dem Server mit „waybill reconcile --not-booked“; danach kann diese Sendung gelöscht werden.
outcome-restored = Die Datenbank wurde aus einer Kopie wiederhergestellt. Von hier wurde die Sendung nicht gebucht, aber die verlorene Datenbank kann diese Sendung bei { $carrier } gebucht haben. Deshalb kann sie hier weder storniert noch gelöscht werden, und es gibt keine Dokumente. Sehen Sie in der Liste von { $carrier } nach. Liegt sie dort vor, nutzen Sie sie oder stornieren Sie sie dort. Wenn nicht, vermerken Sie das auf dem Server mit „waybill reconcile --not-booked“; danach kann diese Sendung gelöscht werden.
cancel-refused = Der Transporteur hat die Stornierung abgelehnt: { $words }
too-many-secrets = Der geheime Schlüssel wurde zu oft gewechselt. Ein ersetzter Schlüssel signiert noch einen Tag lang weiter, und höchstens { $max } dürfen das gleichzeitig. Versuchen Sie es später erneut.
no-cancelling = Dieser Transporteur storniert keine Buchungen.
cancel-unclear = Der Transporteur hat die Stornierung nicht bestätigt: Diese Sendung ist möglicherweise storniert. Wir fragen weiter nach. Rufen Sie die Sendung unter der Adresse in Location ab, um das Ergebnis zu sehen, oder stornieren Sie sie erneut.
cancel-unsettled = Der Transporteur wurde gebeten, diese Sendung zu stornieren, und hat es nicht bestätigt. Rufen Sie die Sendung erneut ab, bevor Sie ihre Dokumente anfordern.
not-deletable = Diese Sendung kann nicht gelöscht werden, weil der Transporteur sie hat oder haben könnte. Was der Transporteur hat, kann storniert werden.
never-begun = Diese Sendung wurde nie gebucht: Ihr Stapel wurde vorher gestoppt. Sie bleibt als storniert im Stapel und kann nicht gelöscht werden.
cancelled-not-deletable = Diese Sendung war beim Transporteur gebucht und ist storniert. Sie bleibt erhalten und kann nicht gelöscht werden.
nothing-to-recover = Es gibt keine Dokumente abzurufen: Der Transporteur hat diese Sendung nicht angenommen.
cancelled-no-documents = Diese Sendung ist storniert. Ihre Dokumente werden nicht mehr erstellt.
account-in-use = Dieses Konto kann nicht gelöscht werden, weil damit Sendungen gebucht wurden. Setzen Sie stattdessen is_active auf false.
gone = Dieser Link ist abgelaufen. Rufen Sie das Dokument oder die Sendung erneut ab, um einen neuen Link zu erhalten.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = enthält das Zeichen { $character } ({ $code }), das nicht gedruckt werden kann
no-room-on-paper = ist zu lang für das Papier, auf das es gedruckt wird
no-barcode = lässt sich nicht als Strichcode schreiben
not-gs1 = muss aus GS1-Elementen wie (00)357012340000000014 bestehen
document-not-drawn = kann in diesem Format nicht gezeichnet werden
document-self-check = hat die Prüfung nach dem Zeichnen nicht bestanden
document-barcode = hat einen Strichcode, der nicht lesbar ist
document-pages-png = hat mehrere Seiten, aber eine PNG-Datei fasst nur eine
document-too-large = ist größer als jedes Etikett
document-no-size = nennt die Größe seiner Seiten nicht
document-not-pdf = ist keine PDF-Datei
document-not-png = ist keine PNG-Datei
document-not-zpl = ist kein ZPL
document-zpl-command = enthält den Befehl { $command }, der nicht zulässig ist: Er tut mehr als zeichnen
document-encrypted = ist verschlüsselt
document-format = kann in diesem Format nicht von einem Transporteur stammen

# What is printed on labels and papers.
paper-shipping-label = Versandetikett
paper-label = Paketetikett
paper-return-label = Retourenetikett
paper-return = RETOURE
paper-from = Von
paper-to = An
paper-date = Datum
paper-weight = Gewicht
paper-reference = Referenz
paper-parcel = Paket
paper-pickup-point = Abholstelle
paper-cash-on-delivery = Nachnahme
paper-cash-with-parcel = Nachnahme wird mit Paket { $number }/{ $count } kassiert
paper-minimum-age = Alter prüfen
paper-leave-at = Abstellort
paper-dangerous-goods = Gefahrgut
paper-limited-quantity = Begrenzte Menge
paper-test-label = TESTETIKETT – nicht versenden
paper-page = Seite { $page } von { $pages }
paper-may-open = Darf zollamtlich geöffnet werden
paper-customs-title = Zollinhaltserklärung
paper-commercial-goods = Warenverkauf
paper-commercial-sample = Warenmuster
paper-gift = Geschenk
paper-documents = Dokumente
paper-returned-goods = Rückware
paper-other = Sonstiges
paper-description = Beschreibung des Inhalts
paper-quantity = Menge
paper-net-weight = Nettogewicht
paper-gross-weight = Bruttogewicht
paper-value = Wert
paper-hs-code = HS-Code
paper-origin = Ursprung
paper-total-weight = Gesamtgewicht
paper-total-value = Gesamtwert
paper-postage = Porto
paper-comments = Bemerkungen
paper-licence = Genehmigung Nr.
paper-certificate = Bescheinigung Nr.
paper-customs-promise = Ich bestätige, dass die Angaben in dieser Erklärung richtig sind und dass diese Sendung keine gefährlichen oder durch Gesetz, Post- oder Zollvorschriften verbotenen Gegenstände enthält.
paper-customs-promise-dangerous = Ich bestätige, dass die Angaben in dieser Erklärung richtig sind und dass diese Sendung keine durch Gesetz, Post- oder Zollvorschriften verbotenen Gegenstände enthält.
paper-signature = Datum und Unterschrift
paper-invoice-commercial = Handelsrechnung
paper-invoice-proforma = Proformarechnung
paper-invoice-number = Rechnung Nr.
paper-invoice-date = Rechnungsdatum
paper-seller = Verkäufer
paper-buyer = Käufer
paper-tracking = Sendungsnr.
paper-incoterm = Lieferbedingungen
paper-reason = Grund der Ausfuhr
paper-unit-price = Stückpreis
paper-amount = Betrag
paper-subtotal = Zwischensumme
paper-shipping-cost = Fracht
paper-insurance = Versicherung
paper-total = Gesamt
paper-not-for-payment = Wert nur für Zollzwecke. Nicht zu bezahlen.
paper-invoice-promise = Wir bestätigen, dass die Angaben in dieser Rechnung wahr und richtig sind.
paper-packing-list = Packliste
paper-pick-list = Pickliste
paper-packing-slip = Lieferschein
paper-location = Lagerplatz
paper-item = Artikel
paper-number = Nummer
paper-sku = Artikelnr.
paper-manifest = Manifest
paper-carrier = Transporteur
paper-shipments = Sendungen
paper-parcels = Pakete
paper-receiver = Empfänger
paper-destination = Ziel
paper-service = Service
paper-handed-over = Übergeben
paper-received = Vom Fahrer übernommen
paper-qr = Abgabecode
paper-qr-how = Zeigen Sie diesen Code bei der Abgabe des Pakets. Das Etikett wird dort gedruckt.
paper-valid-until = Gültig bis
paper-report = Bericht
paper-period = Zeitraum
report-created = Erstellt
report-state = Status
report-identifier = Kennung
report-country = Land
report-postal-code = Postleitzahl
report-city = Ort
report-booked-at = Gebucht
report-price = Geschätzter Preis
report-currency = Währung
report-by-day = Sendungen pro Tag
report-by-service = Sendungen pro Service
report-by-country = Sendungen pro Land
report-shipments = Sendungen
state-pending = Ausstehend
state-processing = In Arbeit
state-booked = Gebucht
state-failed = Fehlgeschlagen
state-cancelled = Storniert
report-other = Übrige
report-failed = Der Bericht konnte nicht erstellt werden. Fordern Sie ihn erneut an.
period-too-long = darf höchstens { $max } Tage nach from liegen
nothing-to-manifest = Es gibt nichts für ein Manifest: Alle gebuchten Sendungen dieses Transporteurs sind bereits auf einem.
manifest-raced = Eine Sendung wurde inzwischen storniert oder auf ein anderes Manifest gesetzt. Versuchen Sie es erneut.
day-not-closed = Der Transporteur hat den Tagesabschluss nicht bestätigt. Die Sendungen bleiben offen. Versuchen Sie es erneut.
day-refused = Der Transporteur hat den Tag nicht abgeschlossen, und die Sendungen bleiben offen. Der Transporteur sagte: { $words }
not-for-manifest = ist keine gebuchte Sendung dieses Transporteurs
on-a-manifest = ist bereits auf einem Manifest
merge-one-way = ist eines von { $names }, von denen genau eines anzugeben ist
merge-no-types = darf nicht zusammen mit { $name } angegeben werden
merge-no-positions = darf nur zusammen mit { $name } angegeben werden
merge-last-before-first = darf nicht kleiner sein als { $name }
merge-too-far = muss weniger als { $max } Plätze nach { $name } liegen
merge-unknown-shipment = ist keine Sendung dieses Teams
merge-no-document = hat kein solches Dokument
merge-unknown-batch = ist kein Stapel dieses Teams
merge-format = hat eine Datei, die sich nicht zusammenfügen lässt; das geht nur mit PDF und ZPL
merge-too-large = macht die zusammengefügten Dateien größer als 64 MiB
merge-objects = enthält zu viele Teile, um zusammengefügt zu werden
merge-layers = hat ausgeschaltete Ebenen, die in der zusammengefügten Datei gedruckt würden
nothing-to-merge = Es gibt nichts zusammenzufügen: Keine dieser Sendungen hat ein solches Dokument.
document-no-picture = kann nicht als Bild gezeigt werden

# Was mit einem Webhook nicht stimmt.
url-malformed = muss eine einfache URL wie https://shop.example.com/hooks sein
url-not-https = muss mit https:// beginnen
url-port = muss Port 443 oder einen Port ab 1024 verwenden
url-not-public = muss zu einer öffentlichen Adresse führen
not-in-the-past = darf nicht in der Zukunft liegen
webhook-not-active = Dieser Webhook ist nicht aktiv. Setzen Sie zuerst is_active auf true.
webhook-gone = Der Empfänger antwortete mit 410 Gone.
webhook-failing = Alle Zustellungen sind 5 Tage lang fehlgeschlagen.
attempt-not-allowed = Die Adresse ist nicht öffentlich oder nicht erlaubt.
attempt-no-address = Der Hostname konnte nicht aufgelöst werden.
attempt-no-connection = Der Empfänger konnte nicht erreicht werden.
attempt-no-tls = Es konnte keine sichere Verbindung (TLS) hergestellt werden.
attempt-too-slow = Der Empfänger antwortete nicht innerhalb von 15 Sekunden.
attempt-broken = Die Verbindung brach ab, oder die Antwort war kein HTTP.

# Batches
batch-stopped = Ein gestoppter Stapel kann nicht erneut gestartet werden. Legen Sie einen neuen Stapel an.
batch-empty = Dieser Stapel ist leer. Fügen Sie Sendungen hinzu, bevor Sie ihn starten.
batch-not-started = Dieser Stapel wurde nicht gestartet; es gibt nichts zu stoppen.
batch-completed = Dieser Stapel ist abgeschlossen; es gibt nichts zu stoppen.
batch-not-open = Sendungen können nur zu einem Stapel hinzugefügt werden, der nicht gestartet wurde. Legen Sie einen neuen Stapel an.
batch-started = Der Stapel dieser Sendung wurde gestartet; seine Sendungen können nicht einzeln gelöscht werden. Stoppen Sie stattdessen den Stapel.
# Where a parcel is.
tracking-info-received = Das Paket wurde dem Transporteur angekündigt.
tracking-collected = Das Paket wurde abgeholt.
tracking-in-transit = Das Paket ist unterwegs.
tracking-at-terminal = Das Paket ist in einem Terminal angekommen.
tracking-in-customs = Das Paket ist beim Zoll.
tracking-out-for-delivery = Das Paket ist in Zustellung.
tracking-available = Das Paket kann abgeholt werden.
tracking-attempt-failed = Das Paket konnte nicht zugestellt werden: Niemand nahm es an.
tracking-delivered = Das Paket wurde zugestellt.
tracking-delayed = Das Paket verspätet sich.
tracking-exception = Mit dem Paket stimmt etwas nicht.
tracking-returning = Das Paket ist auf dem Weg zurück zum Absender.
tracking-returned = Das Paket ist wieder beim Absender.
tracking-expired = Von dem Paket wurde 30 Tage lang nichts gehört.
tracking-estimate-changed = Die erwartete Zustellzeit hat sich geändert.
tracking-ambiguous = Mehrere Sendungsverfolgungen haben diese Nummer. Geben Sie zusätzlich carrier_code oder shipment_uuid an.
feed-expired = Diese Stelle im Feed ist abgelaufen. Lesen Sie alle Sendungsverfolgungen erneut und folgen Sie dem Feed dann ohne Cursor.
feed-restored = Die Datenbank wurde aus einer Kopie wiederhergestellt, die diese Stelle im Feed nicht kennt. Lesen Sie alle Sendungsverfolgungen erneut und folgen Sie dem Feed dann ohne Cursor.
history-lost = Die Datenbank wurde aus einer Kopie wiederhergestellt. Was zwischen { $after } und { $until } geschah, kann hier fehlen, und Sie können einen Teil davon gesehen haben. Lesen Sie alles neu.
callback-unreadable = ist keine Nachricht dieses Transporteurs
report-trackings = Sendungsverfolgungen
report-trackings-by-day = Sendungsverfolgungen pro Tag
report-trackings-by-state = Sendungsverfolgungen pro Status
report-trackings-by-service = Sendungsverfolgungen pro Service
report-expected = Erwartet bis
report-delivered-at = Zugestellt
report-returned-at = Zurückgesandt
report-last-event = Letztes Ereignis
report-last-heard = Zuletzt aktualisiert
tracking-state-pending = Ausstehend
tracking-state-info-received = Angekündigt
tracking-state-in-transit = Unterwegs
tracking-state-out-for-delivery = In Zustellung
tracking-state-available = Abholbereit
tracking-state-attempt-fail = Zustellversuch gescheitert
tracking-state-delivered = Zugestellt
tracking-state-exception = Abweichung
tracking-state-returned = Zurückgesandt
tracking-state-expired = Abgelaufen
report-print-jobs = Druckaufträge
report-print-jobs-by-day = Druckaufträge pro Tag
report-print-jobs-by-state = Druckaufträge pro Status
report-print-jobs-by-printer = Druckaufträge pro Drucker
report-document = Dokument
report-format = Format
report-printer = Drucker
report-no-printer = Kein Drucker
report-copies = Exemplare
report-asked-by = Angefordert durch
report-until-printed = Bis zum Druck
report-failure = Fehler
print-state-pending = Wartet
print-state-queued = Beim Drucker
print-state-printing = Wird gedruckt
print-state-printed = Gedruckt
print-state-failed = Fehlgeschlagen
print-state-unknown = Unbekannt
print-source-api = Anfrage
print-source-booking = Buchung
# Service points and rates.
not-a-clock-time = muss eine Uhrzeit wie 07:30 sein
not-opening-hours = muss aus Öffnungszeiten wie mo-fr 07:00-22:00; sa 08:00-18:00 bestehen
not-a-zone = muss ein Land wie NO sein oder ein Land mit dem Anfang einer Postleitzahl wie NO:9
not-heavier = muss schwerer sein als from_weight
overlapping-rates = überschneidet sich mit Zeile { $row } desselben Services und derselben Zone
not-bounds = muss aus vier Zahlen bestehen: minLat,minLng,maxLat,maxLng, die kleineren zuerst
not-degrees = muss eine Gradzahl zwischen -{ $max } und { $max } sein
# Files
no-such-range = Der angeforderte Bereich liegt außerhalb der Datei, die { $size } Byte hat.

# What a team may have only so much of.
quota-accounts = Das Team hat { $max } Konten bei Transporteuren, mehr sind nicht erlaubt. Löschen Sie ein Konto, das nicht gebraucht wird, oder bitten Sie den Betreiber dieses Servers um eine höhere Grenze.
quota-webhooks = Das Team hat { $max } Webhooks, mehr sind nicht erlaubt. Löschen Sie einen, der nicht gebraucht wird, oder bitten Sie den Betreiber dieses Servers um eine höhere Grenze.
quota-templates = Das Team hat { $max } Vorlagen, mehr sind nicht erlaubt. Löschen Sie eine, die nicht gebraucht wird, oder bitten Sie den Betreiber dieses Servers um eine höhere Grenze.
quota-tokens = Der Benutzer hat { $max } Token, mehr sind nicht erlaubt. Widerrufen Sie eines, das nicht gebraucht wird, oder setzen Sie mit --quotas eine höhere Grenze.
quota-batches = Das Team hat { $max } Stapel, die nicht abgeschlossen sind, mehr sind nicht erlaubt. Starten oder stoppen Sie einen davon und warten Sie, bis er beendet ist.
quota-reports = { $max } Berichte des Teams sind noch nicht fertig, mehr sind nicht erlaubt. Warten Sie, bis einer fertig ist, und versuchen Sie es dann erneut.
quota-streams = Es werden { $max } Datenströme an das Team gesendet, mehr sind nicht erlaubt. Beenden Sie einen davon, oder rufen Sie den Stapel ohne Datenstrom ab.
quota-option-bytes = darf als JSON höchstens { $max } Byte groß sein
quota-name-accounts = Konten bei Transporteuren
quota-name-webhooks = Webhooks
quota-name-templates = Vorlagen
quota-name-tokens = Ihre Token
quota-name-batches = Stapel, die nicht abgeschlossen sind
quota-name-reports = Berichte, die noch nicht fertig sind
quota-name-streams = Datenströme an das Team
quota-name-option-bytes = Byte der Optionen eines Kontos und seiner Zugangsdaten

# Drucker, jeweils hinter dem Pfad des Feldes.
unknown-document = ist kein Dokument dieses Teams
printer-uri-scheme = muss mit ipp:// oder ipps:// beginnen
printer-uri-extra = darf weder Benutzer noch Passwort, Abfrage oder Fragment haben
printer-uri-length = darf höchstens 1.023 Bytes lang sein
printer-uri-malformed = muss eine einfache Adresse wie ipp://192.168.10.21/ipp/print sein
printer-uri-port = muss Port 443, 631 oder einen Port ab 1024 verwenden
printer-uri-of-agent = kann nicht geändert werden: ein Druckagent erreicht diesen Drucker
printer-known = ist bereits der Drucker „{ $name }“
no-print-rule = ist erforderlich: keine Druckregel passt zu dieser Datei ({ $file })
printer-cannot-take = nimmt { $format } nicht an; angenommen wird: { $known }
printer-copies-max = darf höchstens { $max } sein: Der Drucker macht nicht mehr Kopien von { $format }
print-file-too-large = ist größer als { $max } MiB, und mehr wird an keinen Drucker gesendet
copies-too-large = ist zu viel: Zusammen sind sie größer als { $max } MiB, und mehr wird an keinen Drucker gesendet

# Druckaufträge.
printer-full = { $max } Aufträge warten auf diesen Drucker, und das ist die Grenze. Warten Sie, bis einige gedruckt sind.
printer-has-jobs = Der Drucker hat Aufträge, die nicht fertig sind, und nur seine jetzige Adresse kann danach gefragt werden. Versuchen Sie es erneut, wenn sie es sind.
print-job-not-cancellable = Er kann schon an den Drucker gesendet worden sein und lässt sich hier nicht stornieren.
print-no-rule = Keine Druckregel passt zu dieser Datei ({ $said }).
print-cannot-take = Der Drucker nimmt dieses Format nicht an ({ $said }).
print-takes-nothing = Der Drucker nimmt keines der hier bekannten Formate an ({ $said }).
print-too-many-copies = Der Drucker macht nicht so viele Kopien (höchstens { $said }).
print-too-large = Die Datei ist mit ihren Kopien größer als { $said } MiB, und mehr wird an keinen Drucker gesendet.
print-refused = Der Drucker hat ihn abgelehnt: { $said }
print-expired = Er ist abgelaufen: der Drucker hat ihn nicht rechtzeitig angenommen.
print-printer-removed = Den Drucker gibt es nicht mehr, und nichts wurde gesendet.
print-cancelled = Er wurde storniert, bevor er an den Drucker gesendet wurde.
print-shipment-cancelled = Die Sendung wurde storniert, bevor er an den Drucker gesendet wurde.
print-file-gone = Die Datei ist nicht mehr gespeichert.
print-cancelled-at-printer = Er wurde am Drucker storniert. { $said }
print-stopped-by-printer = Der Drucker hat ihn angehalten. { $said }
print-forgotten = Der Drucker kennt den Auftrag nicht mehr. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-not-proved = Der Drucker meldet sich fertig, aber nicht, dass er die ganze Datei hatte. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-interrupted = Die Verbindung zum Drucker brach beim Senden ab. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-not-printed = Die Verbindung zum Drucker brach beim Senden ab, und es wurde nicht gedruckt.
print-unreachable = Der Drucker hat ihn, ist aber nicht erreichbar. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
quota-printers = Das Team hat { $max } Drucker, und das ist die Grenze. Löschen Sie einen, der nicht gebraucht wird, oder bitten Sie den Betreiber um eine höhere Grenze.
quota-name-printers = Drucker
# Was an der Adresse eines Druckers falsch ist. Jeder Text steht nach dem Pfad des Feldes.
printer-broken = muss zu einem Drucker führen, der antwortet; die Verbindung brach ab
printer-put-off = muss zu einem Drucker führen, der antwortet; er meldete: { $said }
printer-refused = muss zu einem Drucker führen, der uns zulässt; er meldete: { $said }
printer-not-allowed = muss in ein Netz führen, in dem Drucker auf diesem Server erlaubt sind
printer-unknown-name = muss einen Hostnamen haben, der sich auflösen lässt
printer-no-connection = muss zu einem Drucker führen, der antwortet; dort nimmt niemand Verbindungen an
printer-timed-out = muss zu einem Drucker führen, der antwortet; er antwortete nicht rechtzeitig
printer-not-ipp = muss zu einem Drucker führen; was dort antwortet, spricht kein IPP
printer-no-such-queue = muss eine Warteschlange nennen, die der Druckserver hat
printer-wants-password = muss zu einem Drucker führen, der kein Passwort verlangt
printer-wants-tls = muss mit ipps:// beginnen, weil dieser Drucker TLS verlangt
printer-not-trusted = muss zu einem Drucker führen, dessen Zertifikat dieser Server vertraut

# Druckagenten.
forbidden-agent = Das Token gehört einem Druckagenten, und dies ist nicht für Druckagenten.
forbidden-client = Ein Programm, das für sich selbst handelt, hat kein Konto: Dies ist für Benutzer.
user-deleted = Der Benutzer wurde inzwischen gelöscht.
forbidden-app = Eine App kann das nicht, denn was sie anlegt, würde länger gelten als die Zustimmung ihres Benutzers.
forbidden-expiring = Ein Token, das abläuft, kann das nicht, denn was es anlegt, läuft nicht ab.
forbidden-one-team = Dieses Token gilt in einem Team, und dies betrifft seinen Benutzer in allen Teams. Verwenden Sie ein Token, das nicht an ein Team gebunden ist.
registration-code-not-good = ist kein Code, der jetzt gilt; bitten Sie einen Administrator um einen neuen
agent-protocol = nennt kein Protokoll, das dieser Server spricht; installieren Sie Version { $version } des Agenten
agent-session-over = Eine andere Sitzung dieses Druckagenten hat begonnen. Dieses Programm muss aufhören zu drucken.
printer-reported = Der Druckagent meldet diesen Drucker noch. Löschen Sie ihn dort, oder löschen Sie den Druckagenten.
print-agent-silent = Der Druckagent hat ihn und meldet sich seit { $said } nicht. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-agent-replaced = Der Druckagent hat neu begonnen, ohne was er gespeichert hatte. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-agent-removed = Der Druckagent wurde gelöscht, während er ihn hatte. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
print-agent-failed = Der Druckagent hat ihn aufgegeben. { $said }
print-agent-unsure = Der Druckagent weiß nicht, ob gedruckt wurde. Sehen Sie am Drucker nach, bevor Sie erneut drucken. { $said }
print-restored = Die Datenbank wurde aus einer Kopie wiederhergestellt, und die verlorene hat vielleicht gedruckt. Sehen Sie am Drucker nach, bevor Sie erneut drucken.
quota-print-agents = Das Team hat { $max } Druckagenten, und das ist die Grenze. Löschen Sie einen, der nicht gebraucht wird, oder bitten Sie den Betreiber um eine höhere Grenze.
quota-name-print-agents = Druckagenten

# Seiten, auf denen Menschen sich anmelden und einer App den Zugriff erlauben.
page-sign-in = Anmelden
page-sign-in-for = { $app } bittet Sie, sich anzumelden.
page-email = E-Mail-Adresse
page-password = Passwort
page-forgotten = Passwort vergessen? Wer diesen Server betreibt, kann Ihnen ein neues geben.
page-wrong-password = Die E-Mail-Adresse oder das Passwort ist falsch.
page-too-many-sign-ins = Zu viele Anmeldungen sind fehlgeschlagen. Versuchen Sie es in { $minutes ->
    [one] { $minutes } Minute
   *[other] { $minutes } Minuten
} noch einmal.
page-busy = Im Augenblick melden sich zu viele an. Versuchen Sie es in ein paar Sekunden noch einmal.
page-consent = { $app } den Zugriff erlauben?
page-way-back = Danach werden Sie zu { $host } geleitet.
page-may = Das darf die App
page-signed-in = Angemeldet als { $name }
page-sign-out = Abmelden
page-which-team = In welchem Team?
page-in-team = Im Team { $team }.
page-no-team = Sie sind in keinem Team, daher gibt es nichts zu erlauben. Bitten Sie einen Administrator eines Teams, Sie aufzunehmen.
page-choose-team = Wählen Sie ein Team.
page-allow = Erlauben
page-deny = Ablehnen
page-error = Das hat nicht geklappt
page-refused = Das Formular wurde nicht angenommen
page-refused-why = Es ist älter als eine Stunde oder wurde nicht für diesen Browser erstellt. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal. Ihr Browser muss Cookies annehmen.
page-unknown-app = Die App ist unbekannt
page-unknown-app-why = Die App, die Sie hierher geleitet hat, ist auf diesem Server nicht registriert. Sie können diese Seite schließen.
page-unknown-redirect = Der Rückweg ist unbekannt
page-unknown-redirect-why = Die Adresse, zu der Sie danach geleitet würden, ist für diese App nicht registriert. Deshalb werden Sie nicht dorthin geleitet. Sie können diese Seite schließen.
page-other-team = Sie sind nicht in diesem Team
page-other-team-why = Sie können den Zugriff nur für ein Team erlauben, in dem Sie selbst sind.
page-not-a-form = Hierher kann nur ein Formular dieser Seiten geschickt werden.
not-a-domain = muss eine Domain wie shop.example.com sein
page-link-over = Dieser Link gilt nicht
page-link-over-why = Er wurde benutzt, ersetzt oder zurückgenommen, er ist zu alt, oder er wurde nicht ganz kopiert. Bitten Sie um einen neuen, wo Sie ihn bekommen haben.
page-invited = Sie sind eingeladen
page-invited-to = In das Team { $team }.
page-invited-as = Sie kommen als { $email } hinein.
page-your-name = Ihr Name
page-new-password = Wählen Sie ein Passwort
page-join = Dem Team beitreten
page-no-password = Ihr Konto hat noch kein Passwort
page-no-password-why = Bitten Sie den Betreiber dieses Servers um ein Passwort für Ihr Konto und öffnen Sie den Link noch einmal.
page-first-run = Willkommen bei Waybill
page-first-run-why = Sie sind hier als Erstes: Sie betreiben diesen Server und Ihr erstes Team.
page-team-name = Name des Teams
page-team-domain = Domain des Teams, zum Beispiel shop.example.com
page-begin = Beginnen
page-welcome-done = Sie sind im Team { $team }
page-welcome-next = Sie sind in diesem Browser angemeldet. Ein Administrator des Teams stellt Token für Programme aus.
page-welcome-docs = Lesen, wie Programme mit diesem Server sprechen
wrong-current-password = ist nicht das jetzige Passwort
password-is-email = darf nicht die E-Mail-Adresse sein

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Alles, was die Rolle des Benutzers erlaubt
    [teams-read] Teams und ihre Einstellungen lesen
    [teams-write] Einstellungen des Teams ändern
    [service-points-read] Abholstellen suchen
    [carriers-read] Den Katalog der Transporteure lesen
    [routes-read] Transporteure und Services lesen, die das Team buchen kann
    [delivery-options-read] Zustellarten für eine Sendung suchen
    [shipments-read] Sendungen lesen
    [shipments-write] Sendungen buchen, stornieren und löschen
    [tracking-read] Sendungsverfolgung lesen
    [booking-batches-read] Buchungsstapel lesen
    [booking-batches-write] Buchungsstapel anlegen, füllen, starten und stoppen
    [shipment-templates-read] Sendungsvorlagen lesen
    [shipment-templates-write] Sendungsvorlagen anlegen, ersetzen und löschen
    [documents-read] Dokumente, Manifeste und Berichte lesen
    [documents-write] Manifeste und Berichte erstellen
    [printers-read] Drucker lesen
    [printers-write] Drucker hinzufügen, ändern und löschen
    [print-jobs-read] Druckaufträge lesen
    [print-jobs-write] Dokumente drucken
    [webhooks-read] Webhooks und ihre Zustellungen lesen
    [webhooks-write] Webhooks hinzufügen, ändern, testen und löschen
    [carrier-accounts-read] Konten bei Transporteuren lesen
    [carrier-accounts-write] Konten bei Transporteuren hinzufügen, ändern und löschen
    [wms-read] Den Lagerbereich lesen
    [wms-write] Den Lagerbereich ändern
    [members-read] Lesen, wer zum Team gehört
    [members-write] Rollen von Mitgliedern ändern und Mitglieder ausschließen
    [tokens-read] Lesen, welche Token und Apps Zugriff auf das Team haben
    [tokens-write] Token ausstellen und widerrufen und den Zugriff von Apps beenden
    [logs-read] Protokolle und Ereignisse des Teams lesen
    [stats-read] Zahlen des Teams lesen
    [operator-read] Lesen, wie es der Installation geht
    [operator-write] Teams zur Installation hinzufügen
   *[other] { $scope }
}

# Mitglieder, Einladungen und Token
last-admin = Dieses Mitglied ist der einzige Administrator des Teams, und ein Team braucht einen. Machen Sie zuerst ein anderes Mitglied zum Administrator.
last-admin-of = Sie sind der einzige Administrator von { $teams }, und ein Team braucht einen. Machen Sie zuerst ein anderes Mitglied zum Administrator, oder löschen Sie das Team.
not-the-domain = muss die Domain des Teams sein, { $domain }, damit kein Team aus Versehen gelöscht wird
team-is-booking = Das Team kann nicht gelöscht werden, solange an seinen Sendungen oder Stapeln gearbeitet wird: { $ids }. Versuchen Sie es erneut, wenn sie fertig sind.
team-is-printing = Das Team kann nicht gelöscht werden, solange es Druckaufträge hat, die nicht fertig sind: { $ids }. Versuchen Sie es erneut, wenn sie es sind.
member-already = ist die Adresse von jemandem, der schon im Team ist
invitation-accepted = Diese Einladung wurde angenommen. Nehmen Sie stattdessen das Mitglied aus dem Team.
token-of-another = Dieses Token gilt in allen Teams seines Benutzers, deshalb kann nur dieser es widerrufen.
token-too-long = darf höchstens fünf Jahre in der Zukunft liegen
token-outlives-yours = darf nicht nach dem Ende Ihres eigenen Tokens liegen und nicht fehlen
role-not-yours = ist mehr, als Ihr eigenes Token darf; ein Administrator darf alles
scope-not-yours = ist eine Berechtigung, die Ihrem eigenen Token fehlt; verwenden Sie ein Token, das sie hat
scope-not-of-a-team = ist für die Betreiber des Servers; ein Token eines Teams kann sie nicht haben
not-in-the-future = muss in der Zukunft liegen
quota-invitations = Das Team hat { $max } offene Einladungen, und das ist die Grenze. Widerrufen Sie eine, die nicht gebraucht wird, oder bitten Sie den Betreiber um eine höhere Grenze.
quota-name-invitations = Offene Einladungen
quota-oauth-clients = Das Team hat { $max } OAuth-Clients, und das ist die Grenze. Löschen Sie einen, der nicht gebraucht wird, oder bitten Sie den Betreiber um eine höhere Grenze.
quota-name-oauth-clients = OAuth-Clients
# PostNord and GLS
addon-not-on-route = wird vom Transporteur auf dieser Strecke nicht angeboten
addon-excludes = lässt sich nicht mit der Zusatzleistung { $addon } verbinden
addon-excludes-dangerous-goods = lässt sich nicht mit Gefahrgut verbinden
account-option-missing = braucht die Einstellung { $option } des Kontos beim Transporteur
identifier-required = muss eines davon haben: { $fields }

# DAO, Budbee and Bring
insurance-currency = darf nur in einer dieser Währungen versichern: { $choices }
insurance-too-high = darf höchstens für { $max } versichern
address-lines-too-long = darf nach der ersten Zeile zusammen höchstens { $max } Zeichen haben

# Das Lager
wms-space-at-end = darf nicht mit einem Leerzeichen beginnen oder enden
wms-mixed-length-units = muss für den ganzen Artikel in derselben Längeneinheit angegeben sein, nicht in { $units }
wms-delta-zero = darf nicht 0 sein
wms-own-items = muss fehlen: was in einem Paket ist, kommt aus den Zeilen und dem Katalog
wms-no-such-parcel = ist nicht der Platz eines Pakets der Sendung, die { $count } hat, von 0 an gezählt
wms-empty-parcel = enthält nichts: keine der Zeilen gehört in dieses Paket
wms-item-field = nennt einen Katalogartikel, dessen { $field } { $problem }
wms-unknown-sku = ist nicht die SKU eines Katalogartikels
wms-sku-taken = ist schon die SKU eines Katalogartikels
wms-too-few = Von diesem Lagerplatz können nur { $available } genommen werden: der Rest ist nicht da oder reserviert.
wms-too-many = An diesem Lagerplatz sind schon { $on_hand }, und ein Lagerplatz fasst höchstens { $max }.
wms-item-in-stock = Dieser Artikel kann nicht aus dem Katalog genommen werden: { $on_hand } Stück sind am Lager.
wms-item-wanted = Dieser Artikel kann nicht aus dem Katalog genommen werden: ein Lagerauftrag, der noch offen ist, braucht ihn.
wms-is-received = Der Lagerauftrag ist eingegangen und hat noch keine Ware, deshalb geht das jetzt nicht.
wms-is-allocated = Der Lagerauftrag ist zugeteilt, deshalb geht das jetzt nicht.
wms-is-backordered = Der Lagerauftrag ist im Rückstand und hat keine Ware, deshalb geht das jetzt nicht.
wms-is-picking = Der Lagerauftrag wird kommissioniert, deshalb geht das jetzt nicht.
wms-is-packed = Der Lagerauftrag ist gepackt, deshalb geht das nicht mehr.
wms-is-shipped = Der Lagerauftrag ist versandt, deshalb geht das nicht mehr.
wms-is-cancelled = Der Lagerauftrag ist storniert, deshalb geht das nicht mehr.
wms-too-scattered = Die Ware liegt an mehr als { $max } Lagerplätzen. Legen Sie sie zusammen, oder legen Sie zwei Lageraufträge an.
wms-shipment-under-way = Die Sendung dieses gepackten Lagerauftrags wird gerade gebucht. Warten Sie, bis das beendet ist.
wms-shipment-held = Der Transporteur hat die Sendung dieses gepackten Lagerauftrags oder hat sie vielleicht. Klären Sie das zuerst: rufen Sie ihre Dokumente erneut ab, oder stornieren Sie sie.
wms-nothing-to-pick = Dem Lagerauftrag ist keine Ware zugeteilt, deshalb gibt es nichts zu kommissionieren.
