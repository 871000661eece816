-- Administrators list the saved searches of all accounts, newest first.
create index saved_search_created on saved_search (created_at, id);
