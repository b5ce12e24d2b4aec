import type pg from 'pg';

/** Contents of a database that are stored in it under names, to begin from each again and again. */
export type States = {
  /** Stores the content as it is now. */
  save(name: string): Promise<void>;
  /** Brings a content back. Nothing may be in a transaction. */
  restore(name: string): Promise<void>;
};

/** Tables of the migrations never change. */
const isKept = (table: string) => table.startsWith('kysely_');

/** After so many times, tables are truncated, because deleted rows still take place. */
const deletionsMax = 100;

/**
 * A database that is emptied and filled again is ready sooner than another copy of a template, and its backends know it
 * already: deletions leave them their plans, which truncated tables do not.
 */
export async function createStates(admin: pg.Client): Promise<States> {
  const names = async (statement: string) =>
    (await admin.query<{ name: string }>(statement)).rows.map(({ name }) => name);
  const tables = (
    await names(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
  ).filter((name) => !isKept(name));
  // Whenever it came, it would change plans.
  for (const table of tables) await admin.query(`alter table "${table}" set (autovacuum_enabled = off)`);
  let deletions = 0;
  return {
    async save(name) {
      await admin.query(`create schema "${name}"`);
      const statements = [];
      for (const table of tables) {
        if (!(await admin.query(`select from "${table}" limit 1`)).rowCount) continue;
        await admin.query(`create table "${name}"."${table}" as table public."${table}"`);
        const columns = await names(
          `select quote_ident(attname) as name from pg_attribute
           where attrelid = '"${table}"'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        );
        statements.push(
          `insert into "${table}" (${columns}) overriding system value select ${columns} from "${name}"."${table}"`,
        );
      }
      const sequences = await names(
        `select format('perform setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
           coalesce(last_value, start_value), last_value is not null) as name from pg_sequences`,
      );
      const body = [...statements, ...sequences].join(';\n');
      await admin.query(
        `create function "${name}".fill() returns void language plpgsql set session_replication_role = replica as
         $fill$ begin ${body}; end $fill$`,
      );
      const emptying = tables.map((table) => `delete from "${table}"`).join(';\n');
      await admin.query(
        `create or replace function sim.empty() returns void language plpgsql set session_replication_role = replica as
         $empty$ begin ${emptying}; end $empty$`,
      );
    },
    async restore(name) {
      deletions = (deletions + 1) % deletionsMax;
      if (deletions === 0) await admin.query(`truncate ${tables.map((table) => `"${table}"`)} cascade`);
      else await admin.query('select sim.empty()');
      await admin.query(`select "${name}".fill()`);
    },
  };
}
