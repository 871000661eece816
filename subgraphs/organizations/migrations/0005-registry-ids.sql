-- Which ids of registries are taken is said by `registered` now, for memberships as well.
drop index external_id_registry;
create unique index external_id_registry on external_id (resource_type, scheme, value)
  where registered and scheme in ('WIKIDATA', 'FIFA_ID', 'UCI_ID', 'WORLD_AQUATICS', 'WORLD_ATHLETICS', 'FIBA_ID', 'IHF_ID', 'FIVB_ID', 'WORLD_RUGBY', 'ITF_ID', 'ISNI', 'ROR');
