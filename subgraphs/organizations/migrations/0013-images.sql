-- The image of an organization. Its files are in the store of images; a file that no row refers to is removed.
alter table organization add column image_id text;
create table unused_image (
  id text primary key,
  remove_at timestamptz not null
);
create index unused_image_remove_at on unused_image (remove_at);

create function organizations.note_image() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from organizations.unused_image where id = new.image_id;
  end if;
  insert into organizations.unused_image (id, remove_at)
    select old.image_id, now() + interval '1 hour' where old.image_id is not null
    on conflict (id) do nothing;
  return null;
end $$;
create trigger image_changed after update of image_id on organization
  for each row when (old.image_id is distinct from new.image_id) execute function organizations.note_image();
create trigger image_removed after delete on organization
  for each row when (old.image_id is not null) execute function organizations.note_image();
