import { type Kysely, sql } from 'kysely';

/**
 * Backups that the keeper makes, removes and tries, and a view of the work that workers could take now, for what scales
 * them. A process of the version before reads and writes neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table backups add column bytes bigint,
      add column removed_at timestamptz,
      add column checked_at timestamptz,
      add column check_result json`.execute(db);
  await sql`
    create view stage_backlog as
    select chunks.stage,
      count(*) filter (where chunks.kind <> 'task')::int as chunks,
      count(*) filter (where chunks.kind = 'task')::int as tasks
    from chunks join imports on imports.id = chunks.import_id
    where chunks.state in ('pending', 'published')
      and (chunks.not_before is null or chunks.not_before <= clock_timestamp())
      and (chunks.kind = 'task' or (
        imports.status = case chunks.stage when 'push' then 'uploading' else 'processing' end
        and chunks.run = case chunks.stage
          when 'parse' then imports.parse_run when 'enrich' then imports.enrich_run else imports.push_run end))
    group by chunks.stage`.execute(db);
}
