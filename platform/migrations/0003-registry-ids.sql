-- Ids of public registries name one public resource for all accounts. A hidden one takes none: a refusal would tell that it is there.
-- An id stays taken when its resource is hidden again: everybody knows of it. Memberships are in no registry.
alter table external_id add column registered boolean not null default false;
update external_id set registered = resource_type <> 'membership';
drop index external_id_registry;
create unique index external_id_registry on external_id (resource_type, scheme, value)
  where registered and scheme in ('WIKIDATA', 'FIFA_ID', 'UCI_ID', 'WORLD_AQUATICS', 'WORLD_ATHLETICS', 'FIBA_ID', 'IHF_ID', 'FIVB_ID', 'WORLD_RUGBY', 'ITF_ID', 'ISNI', 'ROR');
