import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import * as contract from '@draftshelf/contract/imports/imports';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { countWaitingProducts } from '@draftshelf/core/enrich/lacks';
import { countSourceCalls } from '@draftshelf/core/enrich/sources';
import { listProcessingIds, readImportVersion } from '@draftshelf/core/imports/imports';
import { readListOfImport } from '@draftshelf/core/push/list-facts';
import { countProposals, readNewestProposalId } from '@draftshelf/core/review/proposals/listed-proposals';
import { countShownRows, readFacets } from '@draftshelf/core/review/row-facets';
import { currentRows } from '@draftshelf/core/work/runs';
import { listTasks, type TaskRecord } from '@draftshelf/core/work/tasks';
import { estimateLookupsEndMs } from '@draftshelf/domain/enrich/lookup-time';
import { lookupFields, sourceLabel } from '@draftshelf/domain/enrich/sources';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { memoizeByKey } from '../http/memoize-for.ts';
import { importNotFound } from '../http/refusal.ts';
import { type Api, type Call, forgetOnChange, serve } from '../http/serve.ts';
import { sharedReadOptions } from '../http/shared-reply.ts';
import { addPace, type PaceReader, toPaceVersion } from '../imports/paces.ts';
import { createQueueList, replyWithList } from '../imports/queue-list.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { readJobExtras, toJob } from '../imports/to-job.ts';
import { readPushFacts } from '../push/read-before-push.ts';
import { countProductsUndone } from '../push/read-report.ts';
import { readAllRows } from '../review/read-rows.ts';
import { readSupplierList } from '../suppliers/read-list.ts';
import { createPollHolder } from './hold-polls.ts';

type Deps = { paces: PaceReader; pollHeldMsMax: number };

type Poll = Pick<Call<typeof contract.getImport>, 'params' | 'query' | 'reply'>;

/** Maximum number of imports whose versions are cached. */
const versionsMax = 200;

/** Serves the queue list, and single imports (under two paths), with or without their first rows. */
export function serveImports(api: Api, { paces, pollHeldMsMax }: Deps): void {
  const { db } = api;
  const list = createQueueList(db, paces, api.app.log);
  const versions = memoizeByKey((id) => readImportVersion(db, id), {
    ...sharedReadOptions,
    keysMax: versionsMax,
    isKept: (version) => version !== undefined,
  });
  // A client that has changed data sees the change in its next list, and in the next poll of an import.
  forgetOnChange(api, () => {
    list.forget();
    versions.forget();
  });
  serve(
    api,
    contract.listImports,
    async ({ query, reply }) => replyWithList(reply, await list.read(query.before)),
    {
      etag: ({ query }) => list.version(query.before),
    },
  );
  const untilReviewable = createPollHolder((ids) => listProcessingIds(db, ids), pollHeldMsMax);
  const etag = async ({ params, query, reply }: Poll) => {
    if (query.wait) await untilReviewable(params.id, reply.raw);
    const version = await (query.wait ? readImportVersion(db, params.id) : versions.get(params.id));
    if (version === undefined) throw importNotFound();
    const { byId } = await paces.read();
    return `${version}${toPaceVersion(byId.get(params.id))}`;
  };
  const isHeld = ({ query }: Pick<Poll, 'query'>) => query.wait !== undefined;
  const shared = { etag, isHeld, isShared: true };
  const read = async (id: string, rows: '0' | undefined) => {
    const job = await readInSnapshot(db, (trx) => readDetails(trx, id, rows !== '0'));
    return addPace(job, await paces.read());
  };
  serve(
    api,
    contract.getImport,
    async ({ params, query }) => ({ success: true as const, job: await read(params.id, query.rows) }),
    shared,
  );
  serve(api, contract.getJob, ({ params, query }) => read(params.id, query.rows), shared);
}

/** Details of an unreadable import, for which reading the details would fail too. */
const nothingRead = {
  csvDataTotal: 0,
  hasRows: false,
  tasks: [],
  proposals: 0,
  newestProposal: null,
  pictures: 0,
  beforePush: null,
  mappingSet: { byOperator: 0, byMemory: 0, from: null },
  undone: 0,
  list: null,
};

async function readDetails(db: Db, id: string, withRows: boolean): Promise<contract.JobWithRows> {
  const record = await findImportOr404(db, id);
  const facets = await readFacets(db, currentRows(record));
  const beside = await readJobExtras(db, [record]);
  const job = toJob(record, beside);
  if (job.isUnreadable) return { ...job, ...nothingRead };
  const tasks = await listTasks(db, id);
  const enrichment = await readEnrichment(db, record);
  const mapping = beside.readings.get(id)?.current?.mapping;
  const own = await readListOfImport(db, record);
  return {
    ...job,
    ...(withRows ? await readAllRows(db, record) : {}),
    csvDataTotal: countShownRows(record, facets),
    hasRows: facets.length > 0 && record.rows_removed_at === null,
    tasks: tasks.map(toTask),
    enrichment,
    beforePush: await readPushFacts(db, record, { job, facets, mapping, tasks, enrichment, own }),
    proposals: await countProposals(db, currentRows(record)),
    newestProposal: await readNewestProposalId(db, currentRows(record)),
    pictures: record.pictures,
    mappingSet: mappingSet(mapping),
    undone: await countProductsUndone(db, record),
    list: await readSupplierList(db, record, own),
  };
}

function mappingSet(mapping: HeaderMapping | undefined): contract.JobWithRows['mappingSet'] {
  const by = (who: 'operator' | 'memory') => mapping?.columns.filter(({ setBy }) => setBy === who) ?? [];
  const [first] = by('memory');
  const from = first?.rememberedFrom ?? null;
  return { byOperator: by('operator').length, byMemory: by('memory').length, from };
}

/** Returns an import's look-up results and its waiting products by source. Undefined if nothing is looked up. */
async function readEnrichment(db: Db, record: ImportRecord): Promise<Enrichment | undefined> {
  const coverage = await readCoverage(db, currentRows(record));
  if (coverage.length === 0) return undefined;
  const waiting = await countWaitingProducts(db, currentRows(record));
  const calls = waiting.length === 0 ? new Map() : await countSourceCalls(db);
  return {
    coverage: lookupFields.flatMap((field) => coverage.find((one) => one.field === field) ?? []),
    waiting: waiting.map(({ source, products, lookups, until, because, now, ...waits }) => {
      const { perWindow, windowMs, perDay } = waits;
      const dayLeft = perDay - (calls.get(source)?.day ?? 0);
      const quota = { perWindow, windowMs, dayLeft, blockedUntilMs: until?.getTime() ?? null };
      const readyMs = estimateLookupsEndMs(lookups, quota, now.getTime());
      return {
        ...{ source: sourceLabel(source), products, because, perWindow, windowMs },
        until: until?.toISOString() ?? null,
        readyAt: readyMs === null ? null : new Date(readyMs).toISOString(),
      };
    }),
  };
}

function toTask({ id, task, command, state, done, total, waiting_for, error }: TaskRecord): contract.Task {
  return {
    ...{ id, label: task === null ? '' : taskLabel(task), command, done, total },
    state: state === 'dead' ? 'failed' : state === 'published' ? 'running' : 'waiting',
    waitingFor: state === 'pending' ? waiting_for : null,
    error: state === 'dead' ? error : null,
  };
}
