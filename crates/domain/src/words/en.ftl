# What is wrong with a field. Each stands after the field's path, so it starts in lower case.
required = is required
not-an-object = must be an object
not-a-list = must be a list
not-text = must be text
not-a-number = must be a number
not-an-integer = must be a whole number
not-in-range = must be a whole number from { $min } to { $max }
not-a-boolean = must be true or false
not-a-uuid = must be a UUID such as 0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b
not-a-time = must be a date and time with a UTC offset, such as 2026-11-20T17:00:00+01:00
not-a-known-time = must be a time from { $min } to { $max }
not-a-date = must be a date such as 2026-11-20
not-one-of = must be one of: { $choices }
not-a-currency = must be an ISO 4217 currency code such as DKK
not-money = is not money that is paid with today; use a currency code such as DKK
not-a-country = must be an ISO 3166 country code of two capital letters, such as DK
not-a-language = must be one of the languages en, da, sv, nb, fi, de
not-an-email = must be an e-mail address
not-a-phone = must be a phone number such as +4530274735
unknown-field = is not a known field
unknown-field-near = is not a known field; did you mean { $near }?
fixed-field = cannot be changed
duplicate-field = occurs twice in the same object
duplicate-value = occurs twice in the list
blank = must not be blank
too-long = { $max ->
    [one] must be at most { $max } character
   *[other] must be at most { $max } characters
}
too-short = { $min ->
    [one] must be at least { $min } character
   *[other] must be at least { $min } characters
}
control-character = must not contain control characters
too-few = { $min ->
    [one] must have at least { $min } entry
   *[other] must have at least { $min } entries
}
too-many = { $max ->
    [one] must have at most { $max } entry
   *[other] must have at most { $max } entries
}
not-positive = must be greater than 0
too-large = must be at most { $max }
too-small = must be at least { $min }
too-many-decimals = must have at most 3 decimals
unit-missing = is required, because { $path } has a value
unknown-printer = is not a printer of this team

# What is wrong with a body as a whole.
body-not-json = is not valid JSON (byte { $offset })
body-not-object = must be a JSON object
body-too-deep = is nested too deeply
body-too-many = has more than { $max } values
body-missing = must be a JSON object, but the request has no body

# What is wrong with a query parameter or header.
unknown-parameter = is not a known parameter
unknown-parameter-near = is not a known parameter; did you mean { $near }?
duplicate-parameter = is given twice
bad-cursor = is not a cursor of this list
bad-idempotency-key = must be 16 to 128 characters of A-Z, a-z, 0-9, dot, underscore and hyphen
idempotency-key-reused = was already used with another request body; use a new key for a new request

# Whole answers.
invalid = The request is not valid.
invalid-at = The request is not valid: { $path } { $problem }
unauthenticated = Send a valid access token as "Authorization: Bearer …".
token-malformed = This access token is not one of ours: its check digits do not match. Check that it was copied completely.
not-from-carrier = The message does not prove that it comes from the carrier.
forbidden-scope = The token lacks the scope { $scope }. Use a token that has it.
forbidden-role = Only an administrator of the team may do this.
not-found = This does not exist, or it does not belong to this team.
unknown-path = This path does not exist. The API is described at /docs.
method-not-allowed = The method { $method } is not allowed here. Allowed: { $allowed }.
conflict-version = The resource has changed since you read it. Read it again and repeat your change.
conflict-in-progress = An earlier request for the same thing is still being processed. Try again shortly.
replayed-deleted = What was made with this Idempotency-Key was deleted. Use another key to make another one.
too-many-requests = The rate limit is reached. Try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}.
payload-too-large = The body is larger than { $max } bytes.
chunks-too-small = The body comes in too many small chunks. Send it in larger ones, or with a Content-Length.
unsupported-media-type = Send the body as application/json, not compressed.
bad-request = The request could not be read.
two-credentials = The request has two access tokens. Send one of them: as a bearer token or as api_token.
legacy-invalid = The given data was invalid.
legacy-in-progress = The shipment is still being booked. Send the same request again in a few seconds.
request-timeout = The request took too long to arrive. Send it again.
internal = Something went wrong on our side. Tell us the Request-ID { $id }.
unavailable = The server cannot answer at the moment. Try again shortly.

# What is wrong with a shipment.
not-an-hs-code = must be a customs tariff number of 6 to 10 digits
not-a-un-number = must be UN and four digits, such as UN1263
not-after-start = must be later than start
in-the-past = must not be in the past
not-after-from = must be later than from
mixed-currencies = must be in one currency throughout the shipment, not in { $units }
mixed-weight-units = must be in one weight unit throughout the shipment, not in { $units }
mixed-length-units = must be in one unit of length throughout the shipment, not in { $units }
net-above-gross = must be at least { $net }, because the contents weigh that much
no-format = offers labels as { $offered }, but the team's settings ask for { $wanted }
legacy-no-pdf = takes a label as a PDF file, and the team's settings do not have that format
legacy-no-label = has no label as a PDF file
legacy-several-websites = must be named in the path, because the token is good in several teams
legacy-carrier-words = { $words }
no-size = offers labels of { $offered }, but the team's settings ask for { $wanted }
not-the-first-size = must be the first of sizes, or be left out

# What a service does not offer, or asks for.
characters-not-accepted = contains characters that this service does not accept: { $characters }
not-served-from = is not a country that this service ships from; it ships from { $countries }
not-served-to = is not a country that this service ships to; it ships to { $countries }
not-served-within = must be another country: this service does not ship within { $country }
not-a-postal-code = is not a postal code of { $country }; it should look like { $example }
not-an-area-code = must be the region in two capital letters, such as NY
pickup-point-not-offered = must be left out: this service does not deliver to pickup points
addon-not-offered = is not an addon of this service; it offers { $addons }
no-addon-offered = is not an addon of this service; it offers none
addon-required = must contain the addon { $addon }
addon-without-value = must be left out: this addon takes no value
not-an-amount = must be an amount in the smallest unit of its currency, such as { "{" }"value": 50000, "currency": "DKK"{ "}" }
addon-phone = must be text with a phone number and its country code, such as "+4530274735"
addon-email = must be text with an e-mail address, such as "ada@example.com"
addon-age = must be one of these texts: { $choices }
addon-text = { $max ->
    [one] must be text of at most { $max } character, such as "A"
   *[other] must be text of at most { $max } characters, such as "In the shed"
}
not-an-addon-value = must be what the addon asks for: text such as "+4530274735", or an amount such as { "{" }"value": 50000, "currency": "DKK"{ "}" }; /v2/carriers tells which
required-with-addon = is required with the addon { $addon }
dangerous-goods-not-allowed = must be empty: this service does not carry dangerous goods
limited-quantity-only = must be true: this service carries dangerous goods only as limited quantities
girth-too-large = is too large: the longest side and twice the other two must be at most { $max } together
sides-too-long = is too large: length, width and height must be at most { $max } together
weights-too-heavy = must weigh at most { $max } together
required-by-customs = is required, because the shipment crosses a customs border
required-from = is required, because the shipment is sent from { $country }
required-to = is required, because the shipment is sent to { $country }
one-required = is required, or one of these: { $fields }
must-be-left-out = must be left out: this service does not take it

# What is wrong with a booking.
unknown-service = is not a service of any carrier; /v2/carriers lists them
no-account = needs an active account with { $carrier }; add one first
no-merchant = is required, because the team's settings have no sender address
no-pickup-point = is required: no pickup point near the customer is known
unknown-pickup-point = is not a pickup point of this service; the nearest are { $near }
no-such-pickup-point = is not a point of this service
no-points-in-country = cannot be chosen: no pickup point of { $carrier } in { $country } is known on this server
unknown-template = is not a template of this team
template-pickup-point = names a pickup point, and this service does not deliver to pickup points; send delivery.pickup_point as null, or choose another service
template-point-unfit = names the pickup point { $code }, which is not a point of this service in the customer's country; send delivery.pickup_point with another code, or as null for the nearest one
carrier-not-bookable = names { $carrier }, which cannot be booked with this version yet
credentials-refused = was refused by the carrier: { $words }
not-a-time-zone = is not a time zone, such as Europe/Copenhagen
unknown-carrier = is not a carrier of the catalog

# What became of a booking.
failure-rejected = { $carrier } refused the booking. Correct the input and create a new shipment.
failure-technical = The booking could not be completed. If { $carrier } has accepted it, recover its documents; do not book again.
failure-documents = { $carrier } has the booking, but its documents could not be made. Recover the documents or cancel the shipment; do not book again.
failure-documents-final = { $carrier } has the booking, but its documents could not be made, and { $carrier } does not give them here again. Get them from { $carrier } itself or cancel the shipment; do not book again.
failure-deadline = { $carrier } did not answer in time, so it may have the booking. Do not book again; a late success updates this shipment.
failure-interrupted = The database was restored from a copy while { $carrier } was being asked, so it may have the booking. Do not book again; a late success updates this shipment.
failure-unknown = { $carrier } may have the booking, and cannot be asked from here. Look there before you book again.
failure-restored = The database was restored from a copy. This shipment was not booked from here, but the lost database may have booked it with { $carrier }. Look for it on the list of { $carrier }, or run "waybill reconcile" on the server. If it is there, do not book again: use it or cancel it there. If it is not there, create a new shipment.
failure-restored-unbooked = The database was restored from a copy before this was booked, and { $carrier } does not have it. Nothing was booked; create a new shipment to try again.
failure-unbooked = It could not be booked with { $carrier } in time. Nothing was booked; create a new shipment to try again.
failure-nothing-booked = The booking could not be completed, and nothing was booked with { $carrier }. Create a new shipment to try again.
failure-partial = { $carrier } took only { $taken } of { $count } parcels: those that have a tracking number. Do not book them again. Cancel this shipment and create a new one, or recover the documents and send these parcels.
failure-partial-final = { $carrier } took only { $taken } of { $count } parcels: those that have a tracking number. Do not book them again. Their documents could not be made, and { $carrier } does not give them here again. Cancel this shipment and create a new one, or get the documents of these parcels from { $carrier } itself.
failure-partial-documents = { $carrier } took only { $taken } of { $count } parcels: those that have a tracking number. Do not book them again. Their documents are ready: send these parcels, or cancel this shipment and create a new one.
failure-cancelled = The booking failed, and what { $carrier } had of it is cancelled. Create a new shipment to try again.
parcel-not-taken = This parcel was not taken.
note-not-sent = It could not be sent to { $carrier }.
note-not-tried = It was not sent to { $carrier } in time.
note-no-answer = { $carrier } gave no answer that says whether it has the booking.
note-absent = { $carrier } does not have the booking.
note-no-documents = { $carrier } sent no documents.
note-papers = The documents could not be made from what { $carrier } sent.
note-not-kept = The documents could not be stored on this server.
note-restored = The database was restored from a copy before { $carrier } had taken this booking from here.
note-interrupted = The database was restored from a copy while { $carrier } was being asked.
note-no-account = The account with { $carrier } cannot be used.
not-cancellable = There is nothing to cancel: the carrier does not have this shipment.
cancel-too-early = This shipment is still being booked. Cancel it when that has ended.
cancel-while-documents = This shipment is with the carrier and its documents are being made again. Cancel it when that has ended.
outcome-asked = It is not known yet whether { $carrier } has this shipment, and we keep asking. Until that is known it cannot be cancelled or deleted, and there are no documents. If { $carrier } has it, it becomes booked here.
outcome-unknown = { $carrier } may have this shipment and cannot be asked from here. So it cannot be cancelled or deleted here, and there are no documents. Look for it on the list of { $carrier }. If it is there, use it or cancel it there. If it is not there, note that on the server with "waybill reconcile --not-booked"; then this shipment can be deleted.
outcome-restored = The database was restored from a copy. This shipment was not booked from here, but the lost database may have booked it with { $carrier }. So it cannot be cancelled or deleted here, and there are no documents. Look for it on the list of { $carrier }. If it is there, use it or cancel it there. If it is not there, note that on the server with "waybill reconcile --not-booked"; then this shipment can be deleted.
cancel-refused = The carrier refused the cancellation: { $words }
too-many-secrets = The secret was changed too often. A replaced secret keeps signing for a day, and at most { $max } may do so at once. Try again later.
no-cancelling = This carrier does not cancel bookings.
cancel-unclear = The carrier has not confirmed the cancellation: this shipment may be cancelled. We keep asking. Read the shipment at its Location to see how it ended, or cancel it again.
cancel-unsettled = The carrier was asked to cancel this shipment and has not confirmed it. Read the shipment again before you ask for its documents.
not-deletable = This shipment cannot be deleted, because the carrier has it or may have it. What the carrier has can be cancelled.
never-begun = This shipment was never booked: its batch was stopped first. It stays in the batch as cancelled and cannot be deleted.
cancelled-not-deletable = This shipment was booked with the carrier and cancelled. It stays as a record and cannot be deleted.
nothing-to-recover = There are no documents to recover: the carrier has not accepted this shipment.
cancelled-no-documents = This shipment is cancelled. Its documents are not made any more.
account-in-use = This account cannot be deleted, because shipments were booked with it. Set is_active to false instead.
gone = This link has expired. Read the document or its shipment again to get a new link.

# What keeps something from being printed. Each stands after a field's path.
unprintable-character = contains { $character } ({ $code }), which cannot be printed
no-room-on-paper = is too long for the paper that it is printed on
no-barcode = cannot be written as a barcode
not-gs1 = must be GS1 elements such as (00)357012340000000014
document-not-drawn = cannot be drawn in this format
document-self-check = did not pass the check after it was drawn
document-barcode = has a barcode that cannot be read
document-pages-png = has several pages, but a PNG file holds only one
document-too-large = is larger than any label
document-no-size = does not say the size of its pages
document-not-pdf = is not a PDF file
document-not-png = is not a PNG file
document-not-zpl = is not ZPL
document-zpl-command = contains the command { $command }, which is not allowed: it does more than draw
document-encrypted = is encrypted
document-format = cannot come from a carrier in this format

# What is printed on labels and papers.
paper-shipping-label = Label
paper-label = Parcel label
paper-return-label = Return label
paper-return = RETURN
paper-from = From
paper-to = To
paper-date = Date
paper-weight = Weight
paper-reference = Reference
paper-parcel = Parcel
paper-pickup-point = Pickup point
paper-cash-on-delivery = Cash on delivery
paper-cash-with-parcel = Cash on delivery is collected with parcel { $number }/{ $count }
paper-minimum-age = Check age
paper-leave-at = Leave at
paper-dangerous-goods = Dangerous goods
paper-limited-quantity = Limited quantity
paper-test-label = TEST LABEL – do not ship
paper-page = Page { $page } of { $pages }
paper-may-open = May be opened officially
paper-customs-title = Customs declaration
paper-commercial-goods = Sale of goods
paper-commercial-sample = Commercial sample
paper-gift = Gift
paper-documents = Documents
paper-returned-goods = Returned goods
paper-other = Other
paper-description = Description of contents
paper-quantity = Quantity
paper-net-weight = Net weight
paper-gross-weight = Gross weight
paper-value = Value
paper-hs-code = HS code
paper-origin = Origin
paper-total-weight = Total weight
paper-total-value = Total value
paper-postage = Postal charges
paper-comments = Comments
paper-licence = Licence no.
paper-certificate = Certificate no.
paper-customs-promise = I certify that the particulars given in this declaration are correct and that this item contains no dangerous article or article prohibited by law or by postal or customs regulations.
paper-customs-promise-dangerous = I certify that the particulars given in this declaration are correct and that this item contains no article prohibited by law or by postal or customs regulations.
paper-signature = Date and signature
paper-invoice-commercial = Commercial invoice
paper-invoice-proforma = Proforma invoice
paper-invoice-number = Invoice no.
paper-invoice-date = Invoice date
paper-seller = Seller
paper-buyer = Buyer
paper-tracking = Tracking no.
paper-incoterm = Terms of delivery
paper-reason = Reason for export
paper-unit-price = Unit price
paper-amount = Amount
paper-subtotal = Subtotal
paper-shipping-cost = Freight
paper-insurance = Insurance
paper-total = Total
paper-not-for-payment = Value for customs purposes only. Not for payment.
paper-invoice-promise = We certify that the particulars of this invoice are true and correct.
paper-packing-list = Packing list
paper-pick-list = Pick list
paper-packing-slip = Packing slip
paper-location = Location
paper-item = Item
paper-number = Number
paper-sku = Item no.
paper-manifest = Manifest
paper-carrier = Carrier
paper-shipments = Shipments
paper-parcels = Parcels
paper-receiver = Receiver
paper-destination = Destination
paper-service = Service
paper-handed-over = Handed over
paper-received = Received by the driver
paper-qr = Drop-off code
paper-qr-how = Show this code where you hand in the parcel. The label is printed there.
paper-valid-until = Valid until
paper-report = Report
paper-period = Period
report-created = Created
report-state = State
report-identifier = Identifier
report-country = Country
report-postal-code = Postal code
report-city = City
report-booked-at = Booked
report-price = Estimated price
report-currency = Currency
report-by-day = Shipments per day
report-by-service = Shipments per service
report-by-country = Shipments per country
report-shipments = Shipments
state-pending = Pending
state-processing = In progress
state-booked = Booked
state-failed = Failed
state-cancelled = Cancelled
report-other = Other
report-failed = The report could not be made. Ask for it again.
period-too-long = must be at most { $max } days after from
nothing-to-manifest = There is nothing to put on a manifest: every booked shipment of this carrier is on one already.
manifest-raced = A shipment was cancelled or put on another manifest in the meantime. Try again.
day-not-closed = The carrier has not confirmed that the day is closed. The shipments stay open. Try again.
day-refused = The carrier did not close the day, and the shipments stay open. The carrier said: { $words }
not-for-manifest = is not a booked shipment of this carrier
on-a-manifest = is on a manifest already
merge-one-way = is one of { $names }, of which exactly one must be given
merge-no-types = must not be given together with { $name }
merge-no-positions = may only be given together with { $name }
merge-last-before-first = must not be less than { $name }
merge-too-far = must be less than { $max } positions after { $name }
merge-unknown-shipment = is not a shipment of this team
merge-no-document = has no such document
merge-unknown-batch = is not a batch of this team
merge-format = has a file that cannot be joined; only PDF and ZPL can
merge-too-large = makes the joined files larger than 64 MiB
merge-objects = holds too many parts to be joined
merge-layers = has layers that are switched off, and the joined file would print them
nothing-to-merge = There is nothing to join: none of these shipments has such a document.
document-no-picture = cannot be shown as a picture

# What is wrong with a webhook.
url-malformed = must be a plain URL such as https://shop.example.com/hooks
url-not-https = must begin with https://
url-port = must use port 443 or a port from 1024 up
url-not-public = must lead to a public address
not-in-the-past = must not be in the future
webhook-not-active = This webhook is not active. Set is_active to true first.
webhook-gone = The receiver answered 410 Gone.
webhook-failing = Every delivery failed for 5 days.
attempt-not-allowed = The address is not public or not allowed.
attempt-no-address = The host name could not be resolved.
attempt-no-connection = The receiver could not be reached.
attempt-no-tls = No secure connection (TLS) could be made.
attempt-too-slow = The receiver did not answer within 15 seconds.
attempt-broken = The connection broke, or the answer was not HTTP.

# Batches
batch-stopped = A batch that was stopped cannot be started again. Create a new batch.
batch-empty = This batch is empty. Add shipments before you start it.
batch-not-started = This batch was not started, so there is nothing to stop.
batch-completed = This batch is completed, so there is nothing to stop.
batch-not-open = Shipments can only be added to a batch that was not started. Create a new batch.
batch-started = The batch of this shipment was started, so its shipments cannot be deleted one by one. Stop the batch instead.
# Where a parcel is.
tracking-info-received = The carrier has been told about the parcel.
tracking-collected = The parcel has been collected.
tracking-in-transit = The parcel is on its way.
tracking-at-terminal = The parcel has arrived at a terminal.
tracking-in-customs = The parcel is with customs.
tracking-out-for-delivery = The parcel is out for delivery.
tracking-available = The parcel can be picked up.
tracking-attempt-failed = The parcel could not be delivered: nobody accepted it.
tracking-delivered = The parcel has been delivered.
tracking-delayed = The parcel is delayed.
tracking-exception = Something went wrong with the parcel.
tracking-returning = The parcel is on its way back to the sender.
tracking-returned = The parcel is back with the sender.
tracking-expired = Nothing has been heard of the parcel for 30 days.
tracking-estimate-changed = The expected time of delivery has changed.
tracking-ambiguous = Several trackings have this number. Add the carrier_code or the shipment_uuid.
feed-expired = This position in the feed has expired. Read all trackings again, then follow the feed without a cursor.
feed-restored = The database was restored from a copy that does not know this position in the feed. Read all trackings again, then follow the feed without a cursor.
history-lost = The database was restored from a copy. What happened between { $after } and { $until } may be missing here, and you may have seen some of it. Read everything again.
callback-unreadable = is not a message of this carrier
report-trackings = Trackings
report-trackings-by-day = Trackings per day
report-trackings-by-state = Trackings per state
report-trackings-by-service = Trackings per service
report-expected = Expected by
report-delivered-at = Delivered
report-returned-at = Returned
report-last-event = Last event
report-last-heard = Last updated
tracking-state-pending = Pending
tracking-state-info-received = Announced
tracking-state-in-transit = On its way
tracking-state-out-for-delivery = Out for delivery
tracking-state-available = Ready for pickup
tracking-state-attempt-fail = Delivery attempt failed
tracking-state-delivered = Delivered
tracking-state-exception = Exception
tracking-state-returned = Returned
tracking-state-expired = Expired
report-print-jobs = Print jobs
report-print-jobs-by-day = Print jobs per day
report-print-jobs-by-state = Print jobs per state
report-print-jobs-by-printer = Print jobs per printer
report-document = Document
report-format = Format
report-printer = Printer
report-no-printer = No printer
report-copies = Copies
report-asked-by = Asked for by
report-until-printed = Until printed
report-failure = Failure
print-state-pending = Waiting
print-state-queued = At the printer
print-state-printing = Printing
print-state-printed = Printed
print-state-failed = Failed
print-state-unknown = Not known
print-source-api = Request
print-source-booking = Booking
# Service points and rates.
not-a-clock-time = must be a time of day such as 07:30
not-opening-hours = must be opening hours such as mo-fr 07:00-22:00; sa 08:00-18:00
not-a-zone = must be a country such as NO, or a country with the beginning of a postal code such as NO:9
not-heavier = must be heavier than from_weight
overlapping-rates = overlaps with row { $row } of the same service and zone
not-bounds = must be four numbers: minLat,minLng,maxLat,maxLng, the smaller ones first
not-degrees = must be a number of degrees from -{ $max } to { $max }
# Files
no-such-range = The requested range lies outside the file, which has { $size } bytes.

# What a team may have only so much of.
quota-accounts = The team has { $max } carrier accounts, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-webhooks = The team has { $max } webhooks, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-templates = The team has { $max } templates, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-tokens = The user has { $max } tokens, and that is the limit. Revoke one that is not needed, or set a higher limit with --quotas.
quota-batches = The team has { $max } batches that are not completed, and that is the limit. Start or stop one of them and wait until it is over.
quota-reports = { $max } reports of the team are not ready yet, and that is the limit. Wait until one is ready, then ask again.
quota-streams = { $max } streams are being sent to the team, and that is the limit. End one of them, or read the batch without a stream.
quota-option-bytes = must be at most { $max } bytes of JSON
quota-name-accounts = Carrier accounts
quota-name-webhooks = Webhooks
quota-name-templates = Templates
quota-name-tokens = Your tokens
quota-name-batches = Batches that are not completed
quota-name-reports = Reports that are not ready yet
quota-name-streams = Streams to the team
quota-name-option-bytes = Bytes of an account's options, and of its credentials

# Printers, each after the field's path.
unknown-document = is not a document of this team
printer-uri-scheme = must begin with ipp:// or ipps://
printer-uri-extra = must not have a user, a password, a query or a fragment
printer-uri-length = must be at most 1,023 bytes
printer-uri-malformed = must be a plain address such as ipp://192.168.10.21/ipp/print
printer-uri-port = must use port 443, 631 or a port from 1024 up
printer-uri-of-agent = cannot be set: a print agent reaches this printer
printer-known = is already the printer “{ $name }”
no-print-rule = must be given: no printing rule fits this file ({ $file })
printer-cannot-take = does not take { $format }; it takes: { $known }
printer-copies-max = must be at most { $max }: the printer makes no more copies of { $format }
print-file-too-large = is larger than { $max } MiB, and no more is sent to a printer
copies-too-large = is too many: together they are larger than { $max } MiB, and no more is sent to a printer

# Print jobs.
printer-full = { $max } jobs wait for this printer, and that is the limit. Wait until some are printed.
printer-has-jobs = The printer has jobs that are not over, and only its present address can be asked about them. Try again when they are.
print-job-not-cancellable = It may have been sent to the printer already, so it cannot be cancelled here.
print-no-rule = No printing rule fits this file ({ $said }).
print-cannot-take = The printer does not take this format ({ $said }).
print-takes-nothing = The printer takes none of the formats that are known here ({ $said }).
print-too-many-copies = The printer does not make so many copies (at most { $said }).
print-too-large = The file with its copies is larger than { $said } MiB, and no more is sent to a printer.
print-refused = The printer refused it: { $said }
print-expired = It expired: the printer did not take it in time.
print-printer-removed = The printer is not there any more, and nothing was sent.
print-cancelled = It was cancelled before it was sent to the printer.
print-shipment-cancelled = The shipment was cancelled before it was sent to the printer.
print-file-gone = The file is not stored any more.
print-cancelled-at-printer = It was cancelled at the printer. { $said }
print-stopped-by-printer = The printer stopped it. { $said }
print-forgotten = The printer does not know the job any more. Look at the printer before you print it again.
print-not-proved = The printer says that it is done, but not that it had the whole file. Look at the printer before you print it again.
print-interrupted = The line to the printer broke while it was sent. Look at the printer before you print it again.
print-not-printed = The line to the printer broke while it was sent, and it was not printed.
print-unreachable = The printer has it, but cannot be reached. Look at the printer before you print it again.
quota-printers = The team has { $max } printers, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-name-printers = Printers
# What is wrong with the address of a printer. Each stands after the field's path.
printer-broken = must lead to a printer that answers; the connection broke
printer-put-off = must lead to a printer that answers; it said: { $said }
printer-refused = must lead to a printer that lets us in; it said: { $said }
printer-not-allowed = must lead to a network in which printers are allowed on this server
printer-unknown-name = must have a host that can be found
printer-no-connection = must lead to a printer that answers; nobody takes connections there
printer-timed-out = must lead to a printer that answers; it timed out
printer-not-ipp = must lead to a printer; what answers there does not speak IPP
printer-no-such-queue = must name a queue that the print server has
printer-wants-password = must lead to a printer that does not ask for a password
printer-wants-tls = must begin with ipps://, because this printer wants TLS
printer-not-trusted = must lead to a printer with a certificate that this server trusts

# Print agents.
forbidden-agent = The token is a print agent's, and this is not for print agents.
forbidden-client = A program that acts for itself has no account: this is for users.
user-deleted = The user was deleted meanwhile.
forbidden-app = An app cannot do this, because what it makes would outlive what its user agreed to.
forbidden-expiring = A token that ends cannot do this, because what it makes does not end.
forbidden-one-team = This token is good in one team, and this concerns its user in all teams. Use a token that is not bound to a team.
registration-code-not-good = is not a code that is good now; ask an administrator for a new one
agent-protocol = lists no protocol that this server speaks; install version { $version } of the agent
agent-session-over = Another session of this print agent has begun. This program must stop printing.
printer-reported = The print agent still reports this printer. Delete it there, or delete the print agent.
print-agent-silent = The print agent has it, and was not heard since { $said }. Look at the printer before you print it again.
print-agent-replaced = The print agent began anew without what it had stored. Look at the printer before you print it again.
print-agent-removed = The print agent was deleted while it had it. Look at the printer before you print it again.
print-agent-failed = The print agent gave it up. { $said }
print-agent-unsure = The print agent does not know whether it was printed. Look at the printer before you print it again. { $said }
print-restored = The database was restored from a copy, and the one that was lost may have printed it. Look at the printer before you print it again.
quota-print-agents = The team has { $max } print agents, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-name-print-agents = Print agents

# Pages on which people sign in and let an app act for them.
page-sign-in = Sign in
page-sign-in-for = { $app } asks you to sign in.
page-email = E-mail address
page-password = Password
page-forgotten = Forgotten your password? Whoever runs this server can give you a new one.
page-wrong-password = The e-mail address or the password is wrong.
page-too-many-sign-ins = Too many sign-ins have failed. Try again in { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}.
page-busy = Too many people are signing in at this moment. Try again in a few seconds.
page-consent = Give { $app } access?
page-way-back = After that you are sent to { $host }.
page-may = What the app may do
page-signed-in = Signed in as { $name }
page-sign-out = Sign out
page-which-team = In which team?
page-in-team = In the team { $team }.
page-no-team = You are not in a team, so there is nothing to allow. Ask an administrator of a team to add you.
page-choose-team = Choose a team.
page-allow = Allow
page-deny = Deny
page-error = That did not work
page-refused = The form was not accepted
page-refused-why = It is older than an hour, or was not made for this browser. Go back, load the page again and try once more. Your browser must accept cookies.
page-unknown-app = The app is not known
page-unknown-app-why = The app that sent you here is not registered on this server. You can close this page.
page-unknown-redirect = The way back is not known
page-unknown-redirect-why = The address that you would be sent to afterwards is not registered for this app, so you are not sent there. You can close this page.
page-other-team = You are not in that team
page-other-team-why = You can give access only to a team that you are in yourself.
page-not-a-form = Only a form of these pages can be sent here.
not-a-domain = must be a domain such as shop.example.com
page-link-over = This link does not work
page-link-over-why = It was used, replaced or taken back, it is too old, or it was not copied whole. Ask whoever gave it to you for a new one.
page-invited = You are invited
page-invited-to = Into the team { $team }.
page-invited-as = You come in as { $email }.
page-your-name = Your name
page-new-password = Choose a password
page-join = Join the team
page-no-password = Your account has no password yet
page-no-password-why = Ask whoever runs this server to give your account a password, and open this link again.
page-first-run = Welcome to Waybill
page-first-run-why = You are the first here: you run this server and your first team.
page-team-name = Name of the team
page-team-domain = Domain of the team, such as shop.example.com
page-begin = Begin
page-welcome-done = You are in the team { $team }
page-welcome-next = You are signed in with this browser. An administrator of the team makes tokens for programs.
page-welcome-docs = Read how programs call this server
wrong-current-password = is not the current password
password-is-email = must not be the e-mail address

# What an app may do, as the one reads it who is asked to allow it.
scope = { $scope ->
    [all] Everything that the user's role allows
    [teams-read] Read teams and their settings
    [teams-write] Change team settings
    [service-points-read] Find service points
    [carriers-read] Read the carrier catalog
    [routes-read] Read the carriers and services that the team can book
    [delivery-options-read] Find delivery options for a shipment
    [shipments-read] Read shipments
    [shipments-write] Book, cancel and delete shipments
    [tracking-read] Read tracking
    [booking-batches-read] Read booking batches
    [booking-batches-write] Create, fill, start and stop booking batches
    [shipment-templates-read] Read shipment templates
    [shipment-templates-write] Create, replace and delete shipment templates
    [documents-read] Read documents, manifests and reports
    [documents-write] Create manifests and reports
    [printers-read] Read printers
    [printers-write] Add, change and remove printers
    [print-jobs-read] Read print jobs
    [print-jobs-write] Print documents
    [webhooks-read] Read webhooks and their deliveries
    [webhooks-write] Add, change, test and remove webhooks
    [carrier-accounts-read] Read carrier accounts
    [carrier-accounts-write] Add, change and remove carrier accounts
    [wms-read] Read the warehouse area
    [wms-write] Change the warehouse area
    [members-read] Read who is in the team
    [members-write] Change the roles of members and remove them
    [tokens-read] Read which tokens and apps have access to the team
    [tokens-write] Make and revoke tokens, and end the access of apps
    [logs-read] Read the team's logs and events
    [stats-read] Read the team's figures
    [operator-read] Read how the installation is
    [operator-write] Add teams to the installation
   *[other] { $scope }
}

# Members, invitations and tokens
last-admin = This member is the team's only administrator, and a team needs one. Make another member an administrator first.
last-admin-of = You are the only administrator of { $teams }, and a team needs one. Make another member an administrator or delete the team first.
not-the-domain = must be the domain of the team, { $domain }, so that no team is deleted by mistake
team-is-booking = The team cannot be deleted while its shipments or batches are being worked on: { $ids }. Try again when they are done.
team-is-printing = The team cannot be deleted while it has print jobs that are not over: { $ids }. Try again when they are.
member-already = is the address of somebody who is in the team already
invitation-accepted = This invitation was accepted. Remove the member instead.
token-of-another = This token is good in all teams of its user, so only that user can revoke it.
token-too-long = must be at most five years away
token-outlives-yours = must not be later than the end of your own token, nor be left out
role-not-yours = is more than your own token may do; an administrator may do everything
scope-not-yours = is a scope that your own token lacks; use a token that has it
scope-not-of-a-team = is for operators of the server; a token of a team cannot have it
not-in-the-future = must be in the future
quota-invitations = The team has { $max } open invitations, and that is the limit. Revoke one that is not needed, or ask whoever runs this server for a higher limit.
quota-name-invitations = Open invitations
quota-oauth-clients = The team has { $max } OAuth clients, and that is the limit. Delete one that is not needed, or ask whoever runs this server for a higher limit.
quota-name-oauth-clients = OAuth clients
# PostNord and GLS
addon-not-on-route = is not offered by the carrier on this route
addon-excludes = does not go together with the addon { $addon }
addon-excludes-dangerous-goods = does not go together with dangerous goods
account-option-missing = needs the option { $option } of the account with the carrier
identifier-required = must have one of these: { $fields }

# DAO, Budbee and Bring
insurance-currency = must insure in one of these: { $choices }
insurance-too-high = must insure for at most { $max }
address-lines-too-long = must have at most { $max } characters in the lines after the first together

# The warehouse
wms-space-at-end = must not begin or end with a space
wms-mixed-length-units = must be in one unit of length throughout the item, not in { $units }
wms-delta-zero = must not be 0
wms-own-items = must be left out: what is in a parcel comes from the lines and the catalog
wms-no-such-parcel = is not the place of a parcel of the shipment, which has { $count }, counted from 0
wms-empty-parcel = contains nothing: no line goes into this parcel
wms-item-field = names a catalog item whose { $field } { $problem }
wms-unknown-sku = is not the SKU of a catalog item
wms-sku-taken = is already the SKU of a catalog item
wms-too-few = Only { $available } can be taken from this location: the rest is not there or is reserved.
wms-too-many = There are { $on_hand } at this location already, and a location holds at most { $max }.
wms-item-in-stock = This item cannot be removed from the catalog: { $on_hand } pieces of it are in stock.
wms-item-wanted = This item cannot be removed from the catalog: a fulfilment request that is still open needs it.
wms-is-received = The fulfilment request is received and has no stock yet, so this cannot be done now.
wms-is-allocated = The fulfilment request is allocated, so this cannot be done now.
wms-is-backordered = The fulfilment request is backordered and has no stock, so this cannot be done now.
wms-is-picking = The fulfilment request is picking, so this cannot be done now.
wms-is-packed = The fulfilment request is packed, so this cannot be done any more.
wms-is-shipped = The fulfilment request is shipped, so this cannot be done any more.
wms-is-cancelled = The fulfilment request is cancelled, so this cannot be done any more.
wms-too-scattered = The pieces lie at more than { $max } locations. Move some of them together, or ask for fewer at once.
wms-shipment-under-way = The shipment of this packed fulfilment request is being booked right now. Wait until that has ended.
wms-shipment-held = The carrier has the shipment of this packed fulfilment request, or may have it. Settle that first: recover its documents, or cancel it.
wms-nothing-to-pick = Nothing is allocated to this fulfilment request, so there is nothing to pick.
