-- What users of the portal did, by user, newest first.
create index history_member on history ((actor ->> 'userId'), at, id) where actor ->> 'kind' = 'MEMBER';
