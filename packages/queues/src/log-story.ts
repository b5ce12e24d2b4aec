import type { Db } from '@draftshelf/core/connection/database';
import type { ChunkRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { readRun } from '@draftshelf/core/work/runs';
import type { Logger } from '@draftshelf/runtime/logger';

type Ids = Pick<ChunkRecord, 'import_id' | 'stage' | 'run'>;

const idsOf = ({ import_id, stage, run }: Ids) => ({ importId: import_id, stage, run });

/** Logs the begin of a run, when its first chunk is claimed for the first time. */
export function logBegin(logger: Logger, chunk: ChunkRecord, record: ImportRecord): void {
  if (chunk.kind === 'split') logger.info(idsOf(chunk), 'split begun');
  const isFirst = chunk.kind === 'work' && chunk.sequence === 0 && chunk.publication === 1;
  if (!isFirst || chunk.claims > 1) return;
  const { total_rows: rows, total_products: products } = record;
  logger.info({ ...idsOf(chunk), rows, products }, 'stage begun');
}

/** Logs the end of a split or of a run, with what it did. Reads the import, whose transaction has been committed. */
export async function logEnd(logger: Logger, db: Db, chunk: ChunkRecord): Promise<void> {
  if (chunk.kind !== 'split' && chunk.kind !== 'finalize') return;
  const record = await findImport(db, chunk.import_id);
  const run = await readRun(db, chunk, ['started_at', 'ended_at']);
  if (!record) return;
  if (chunk.kind === 'split') {
    const { total_rows: rows, total_products: products } = record;
    logger.info({ ...idsOf(chunk), rows, products }, 'split ended');
    return;
  }
  const tookMs = (run.ended_at ?? new Date()).getTime() - run.started_at.getTime();
  const ended = { ...idsOf(chunk), seconds: Math.round(tookMs / 100) / 10, status: record.status };
  logger.info({ ...ended, ...resultOf(chunk, record) }, 'stage ended');
}

function resultOf({ stage }: ChunkRecord, record: ImportRecord) {
  const { created, updated, unchanged, skipped, failed } = record;
  if (stage === 'push') return { created, updated, unchanged, skipped, failed };
  const { total_rows: rows, total_products: products } = record;
  if (stage === 'enrich') return { rows: record.enriched_rows };
  const { valid_products: valid, warning_products: warnings, error_products: errors } = record;
  return { rows, products, valid, warnings, errors };
}
