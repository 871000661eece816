-- A rare state among the many applications of an account, or to an opportunity.
create index application_account_status on application (account_id, status, created_at, id);
create index application_received_status on application (opportunity_account_id, status, created_at, id) where status <> 'DRAFT';
create index application_opportunity_status on application (opportunity_id, status, created_at, id);
