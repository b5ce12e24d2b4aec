import { type Kysely, sql } from 'kysely';

/**
 * Sign-ins, their failures, and changes of credentials, settings and sessions. Only the newest of a kind are kept.
 * Failed logins are also counted over all addresses. Sessions end if they are not used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table security_events (
      id bigint generated always as identity primary key,
      kind text not null,
      at timestamptz not null default clock_timestamp(),
      client text not null,
      request_id text not null,
      detail text,
      import_id uuid
    );

    alter table sessions add column used_at timestamptz not null default clock_timestamp();

    create index login_failures_by_time on login_failures (failed_at);
  `.execute(db);
}
