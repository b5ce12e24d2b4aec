import { askModel } from '@draftshelf/ai/client';
import type { AiService, AiServiceFinder } from '@draftshelf/ai/current-service';
import { findAskingRefusal, readAiSwitches } from '@draftshelf/core/enrich/ai/ai-imports';
import { endTaskWithoutService } from '@draftshelf/core/enrich/ai/end-asking-task';
import { type AiCall, admitNextAiCall } from '@draftshelf/core/enrich/ai/next-ai-call';
import { readAiService } from '@draftshelf/core/enrich/ai/service';
import { storeAiReply } from '@draftshelf/core/enrich/ai/store-ai-reply';
import type { CallingTask } from '@draftshelf/core/work/tasks';
import type { AiReply } from '@draftshelf/domain/enrich/ai/reply';

/** `endsAtMs` is the latest time at which the reply may arrive, by performance.now(). */
type Call = { call: AiCall; service: AiService; endsAtMs: number };
type Answer = { call: AiCall; reply: AiReply };

/** Returns the task 'ask-ai', which asks about the products that an operator has chosen, within the limits. */
export function createAskAiTask(ai: AiServiceFinder): CallingTask<Call, Answer> {
  return {
    async take(db, chunk) {
      const beganMs = performance.now();
      const { version } = await readAiService(db);
      const service = await ai.find();
      if (service === null) return endTaskWithoutService(db, chunk);
      const { baseUrl, model, source } = service;
      const isSimulated = source === 'simulated';
      const taken = await admitNextAiCall(db, chunk, { baseUrl, model, version, isSimulated });
      if (typeof taken !== 'object' || !('call' in taken)) return taken;
      return { call: { call: taken.call, service, endsAtMs: beganMs + taken.call.msMax } };
    },
    async call({ call, service, endsAtMs }, signal) {
      const { tokensMax, request, manner } = call;
      const msMax = Math.floor(endsAtMs - performance.now());
      // After `endsAtMs`, the limits no longer count the call as running, so it is not sent.
      if (msMax <= 0) return { call, reply: { kind: 'stopped' } };
      const reply = await askModel(service, request, { manner, tokensMax, msMax, signal, now: Date.now });
      return { call, reply };
    },
    store: (db, _chunk, { call, reply }) => storeAiReply(db, call, reply),
    async isOn(db, chunk) {
      const switches = await readAiSwitches(db, chunk.import_id);
      return switches?.asks === true && findAskingRefusal(switches) === null;
    },
  };
}
