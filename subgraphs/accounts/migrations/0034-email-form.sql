-- Email addresses of people have the Unicode form NFC, so that two spellings of an address are one person. A row whose other form exists stays.

update administrator p set email = normalize(email, NFC) where email is not nfc normalized
  and not exists (select from administrator o where o.id <> p.id and lower(normalize(o.email, NFC)) = lower(normalize(p.email, NFC)));

update portal_user p set email = normalize(email, NFC) where email is not nfc normalized
  and not exists (select from portal_user o where o.id <> p.id and lower(normalize(o.email, NFC)) = lower(normalize(p.email, NFC)));

update account_invitation p set email = normalize(email, NFC)
  where email is not nfc normalized and accepted_at is null and withdrawn_at is null
  and not exists (select from account_invitation o where o.id <> p.id and o.account_id = p.account_id and o.accepted_at is null
    and o.withdrawn_at is null and lower(normalize(o.email, NFC)) = lower(normalize(p.email, NFC)));
