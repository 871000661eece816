-- The read scopes with which an attempt was rendered: its texts are for viewers with the same scopes. Null: an attempt before this version.
alter table webhook_attempt add column scopes text[];
