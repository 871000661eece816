-- Actors have the label of their network instead of the address of their client. A label needs a key that the database does not have, so the
-- earlier addresses are removed. No digest covers these entries yet.
update history set actor = actor - 'address' where actor ? 'address' and actor ->> 'address' !~ '^[0-9a-f]{12}$';
