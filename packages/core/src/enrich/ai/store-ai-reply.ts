import { readAnswer } from '@draftshelf/domain/enrich/ai/answer';
import { readJson } from '@draftshelf/domain/enrich/ai/read-json';
import { type AiReply, simplifyStructure, usageOf } from '@draftshelf/domain/enrich/ai/reply';
import type { Db } from '../../connection/database.ts';
import type { AiOutcome, AiServiceRecord } from '../../connection/schema.ts';
import type { TaskPartHandler, TaskProgress } from '../../work/tasks.ts';
import { giveUpAsks, requeueAsks, saveAnswers } from './ai-asks.ts';
import { endAiCall } from './ai-calls.ts';
import { addAiCounts, changeAiImport, lockAiImport } from './ai-imports.ts';
import type { AiCall } from './next-ai-call.ts';
import { changeAiService, countAiFailure, lockAiService, mannerChanges, pauseAiService } from './service.ts';

const outcomes: Record<AiReply['kind'], AiOutcome> = {
  answer: 'ok',
  cut: 'cut',
  declined: 'declined',
  manner: 'failed',
  quota: 'failed',
  trouble: 'failed',
  failure: 'failed',
  stopped: 'lost',
};

/** Consecutive malformed answers after which a simpler request format (manner) is used. */
const malformedMax = 3;
const goodForMore = 10;
const batchMax = 20;
const quotaPauseMs = 20_000;
const retryMs = 15_000;
const overUsed =
  'The AI service used more tokens than requests allow, so the limits can’t be enforced. Asking AI was stopped.';

/** Stores the reply to a call and updates service and products. The next part of the task proposes the values. */
export async function storeAiReply(
  db: Parameters<TaskPartHandler>[0],
  call: AiCall,
  reply: AiReply,
): Promise<TaskProgress> {
  const ids = [...call.ids.keys()];
  const answers = reply.kind === 'answer' ? readAnswer(readJson(reply.text), ids) : undefined;
  await db.transaction().execute(async (trx) => {
    const service = await lockAiService(trx);
    const outcome = answers?.size === 0 ? 'malformed' : outcomes[reply.kind];
    const ended = await endAiCall(trx, service, call.id, { outcome, used: usageOf(reply) });
    // Another worker has ended the call as lost and queued its products again.
    if (!ended) return;
    if (service.version !== call.version) return storeFormer(trx, call, answers);
    if (ended.isOver) await changeAiService(trx, { trouble: overUsed });
    if (reply.kind !== 'answer') await storeOther(trx, service, call, reply);
    else if (answers) await storeRead(trx, service, call, { answers, pauseMs: reply.pauseMs });
    const causes = await giveUpAsks(trx, call.importId);
    if (causes.length > 0) await addAiCounts(trx, call.importId, { proposals: 0, causes });
  });
  return 'more';
}

type Answers = ReturnType<typeof readAnswer>;

async function storeKnown(trx: Db, call: AiCall, answers: Answers): Promise<void> {
  const known = [...answers].flatMap(([id, answer]) => {
    const ask = call.ids.get(id);
    return ask ? [{ hash: ask.hash, answer: { ...answer, id: '' } }] : [];
  });
  await saveAnswers(trx, known);
}

/** Stores only the answers, because another service, model or key was set during the call. */
async function storeFormer(trx: Db, call: AiCall, answers: Answers | undefined): Promise<void> {
  if (answers) await storeKnown(trx, call, answers);
  await returnAll(trx, call, [], 'Another AI service was set.');
}

async function storeRead(
  trx: Db,
  service: AiServiceRecord,
  call: AiCall,
  { answers, pauseMs }: { answers: Answers; pauseMs: number | null },
): Promise<void> {
  const isMalformed = answers.size === 0;
  await storeKnown(trx, call, answers);
  if (pauseMs !== null) await pauseAiService(trx, pauseMs, 'quota');
  const malformed = isMalformed ? service.malformed + 1 : 0;
  const structure = simplifyStructure(call.manner.structure);
  if (malformed >= malformedMax && structure !== null) {
    await changeAiService(trx, { failures: 0, ...mannerChanges(call.target, { ...call.manner, structure }) });
  } else if (malformed !== service.malformed || service.failures > 0) {
    await changeAiService(trx, { failures: 0, malformed });
  }
  const missing = [...call.ids].filter(([id]) => !answers.has(id)).map(([, { byteFrom }]) => byteFrom);
  await returnAll(trx, call, refusedOf(call, missing), 'The AI service’s answer had an unexpected form.');
  await adjustBatch(trx, call, missing.length === 0);
}

/** Returns the refused products: `missing` if the call had one product; else none, because any may be the cause. */
const refusedOf = (call: AiCall, missing: readonly number[]): readonly number[] =>
  call.ids.size === 1 ? missing : [];

async function returnAll(trx: Db, call: AiCall, counted: readonly number[], error: string): Promise<void> {
  await requeueAsks(trx, call.id, { counts: 'refusals', counted, waitMs: 0, error });
}

/** Halves the next request after a bad answer, and adds one product after ten good answers. */
async function adjustBatch(trx: Db, call: AiCall, isGood: boolean): Promise<void> {
  const asking = await lockAiImport(trx, call.importId);
  if (!asking) return;
  const size = call.ids.size;
  if (!isGood) {
    return changeAiImport(trx, call.importId, { batch: Math.max(1, Math.floor(size / 2)), good: 0 });
  }
  const isEnough = asking.good + 1 >= goodForMore;
  const batch = isEnough ? Math.min(batchMax, asking.batch + 1) : asking.batch;
  await changeAiImport(trx, call.importId, { batch, good: isEnough ? 0 : asking.good + 1 });
}

async function storeOther(
  trx: Db,
  service: AiServiceRecord,
  call: AiCall,
  reply: Exclude<AiReply, { kind: 'answer' }>,
): Promise<void> {
  const all = [...call.ids.values()].map(({ byteFrom }) => byteFrom);
  const back = (counted: readonly number[], waitMs: number, error: string | null) =>
    requeueAsks(trx, call.id, { counts: 'attempts', counted, waitMs, error });
  const hasAnswered = ['cut', 'declined', 'manner'].includes(reply.kind);
  if (hasAnswered && service.failures > 0) await changeAiService(trx, { failures: 0 });
  switch (reply.kind) {
    case 'cut':
    case 'declined': {
      const cause =
        reply.kind === 'cut' ? 'The AI service’s answer was too long.' : 'The AI service declined to answer.';
      await returnAll(trx, call, refusedOf(call, all), cause);
      return adjustBatch(trx, call, false);
    }
    case 'manner':
      // Counts an attempt for all products. Otherwise, a service that refuses every format would be asked forever.
      await changeAiService(trx, mannerChanges(call.target, reply.manner));
      return back(all, 0, 'The AI service refused the form of the request.');
    case 'quota': {
      // If the reply has no wait time, the pause doubles with each consecutive refusal.
      const waitMs = reply.waitMs ?? quotaPauseMs * 2 ** Math.min(service.failures, 5);
      await pauseAiService(trx, waitMs, 'quota');
      if (reply.waitMs === null) await changeAiService(trx, { failures: service.failures + 1 });
      return back([], 0, 'The AI service took no more requests.');
    }
    case 'trouble':
      await changeAiService(trx, { trouble: reply.sentence });
      return back([], 0, reply.sentence);
    case 'failure':
      await countAiFailure(trx);
      await back(all, retryMs, reply.sentence);
      // A smaller request may be answered faster, or may stay within the service's token limit.
      return adjustBatch(trx, call, false);
    case 'stopped':
      return back([], 0, null);
  }
}
