/** Grants that keep audit logs append-only: the role of an area adds entries, and owner functions erase. */

/**
 * SQL that withholds from a role UPDATE and DELETE on the audited tables of a schema, those with a function `audit_<table>_next`, and every
 * write to its tables and functions `audit_*`. Run it after the grants of the role.
 * @param schema quoted
 * @param role quoted
 */
export const auditGrants = (schema: string, role: string): string => `
  do $$ declare object text; begin
    for object in select c.oid::regclass from pg_class c where c.relnamespace = to_regnamespace('${schema}') and c.relkind = 'r'
      and exists (select from pg_proc p where p.pronamespace = c.relnamespace and p.proname = 'audit_' || c.relname || '_next')
    loop execute format('revoke update, delete, truncate on %s from ${role}', object); end loop;
    for object in select oid::regclass from pg_class where relnamespace = to_regnamespace('${schema}') and relkind = 'r' and relname like 'audit\\_%'
    loop execute format('revoke insert, update, delete, truncate on %s from ${role}', object); end loop;
    for object in select oid::regprocedure from pg_proc where pronamespace = to_regnamespace('${schema}') and proname like 'audit\\_%'
    loop execute format('revoke execute on function %s from ${role}', object); end loop;
  end $$`;
