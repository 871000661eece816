-- No public registry knows an opportunity: an id of one refuses nobody, least of all its own return with its organization.
update external_id set registered = false where resource_type = 'opportunity';
