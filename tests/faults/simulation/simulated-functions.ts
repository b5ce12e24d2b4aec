import { startMs } from './scheduler.ts';

/** Goes before pg_catalog, so that what follows replaces functions of Postgres in all statements. */
export const searchPath = 'public, sim, pg_catalog';

/**
 * Schema `sim`: clock and ids of Postgres that repeat with the seed. A backend is that of the client whose number its
 * application name ends with, and began at this number; without one it is nobody's, and not shown. No table has dead
 * rows, because those of earlier seeds would be counted, too.
 */
export const simulatedFunctions = `
  create schema sim;
  create sequence sim.clock minvalue 0;
  create sequence sim.ids;
  create function sim.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.to_timestamp(last_value / 1000.0) from sim.clock';
  create function sim.now() returns timestamptz language sql volatile as 'select sim.clock_timestamp()';
  create function sim.gen_random_uuid() returns uuid language sql volatile as
    $$select (pg_catalog.lpad('', 20, '0') || pg_catalog.lpad(pg_catalog.to_hex(nextval('sim.ids')), 12, '0'))::uuid$$;
  create function sim.pg_stat_get_activity(of int) returns table (pid int, backend_start timestamptz)
    language sql stable as $$
      select pid, pg_catalog.to_timestamp(pg_catalog.substring(application_name, '#(\\d+)$')::float8)
      from pg_catalog.pg_stat_get_activity(of) where application_name ~ '#\\d+$'$$;
  create function sim.pg_stat_get_dead_tuples(of oid) returns bigint language sql stable as 'select 0::bigint';
  create view sim.pg_stat_activity as select * from sim.pg_stat_get_activity(null);
  select setval('sim.clock', ${startMs});`;

/** Column defaults name the functions that they were made with. */
export const simulatedDefaults = `
  do $$ declare def record; begin
    for def in select adrelid::regclass as owner, attname, pg_get_expr(adbin, adrelid) as value
      from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
      where pg_get_expr(adbin, adrelid) ~ 'pg_catalog\\.(now|clock_timestamp|gen_random_uuid)\\(' and attgenerated = ''
    loop
      execute format('alter table %s alter %I set default %s', def.owner, def.attname, replace(def.value, 'pg_catalog.', 'sim.'));
    end loop;
  end $$`;
