-- Both sides of a membership give it ids of their own, and no public registry knows it: an id of a registry must not shut the other side out.
drop index external_id_registry;
create unique index external_id_registry on external_id (resource_type, scheme, value)
  where scheme in ('WIKIDATA', 'FIFA_ID', 'UCI_ID', 'WORLD_AQUATICS', 'WORLD_ATHLETICS', 'FIBA_ID', 'IHF_ID', 'FIVB_ID', 'WORLD_RUGBY', 'ITF_ID', 'ISNI', 'ROR')
    and resource_type <> 'membership';
