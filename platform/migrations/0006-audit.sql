-- History as the audit log reads it: what administrators did, newest first, by who did it and by which key.
alter table history add column reason text;       -- why, in the words of who did it; erased with the changes

create index history_administered on history (at, id) where actor ->> 'kind' = 'ADMINISTRATOR';
create index history_administrator on history ((actor ->> 'administratorId'), at, id) where actor ->> 'kind' = 'ADMINISTRATOR';
create index history_key on history ((actor ->> 'keyId'), at, id) where actor ->> 'kind' = 'KEY';
