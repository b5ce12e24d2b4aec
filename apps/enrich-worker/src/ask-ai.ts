import { type AiReply, askModel } from '@draftshelf/ai/client';
import type { AiService, CurrentAi } from '@draftshelf/ai/current-service';
import { readJson } from '@draftshelf/ai/read-json';
import { firstManner, type Manner, simplerThan } from '@draftshelf/ai/structure';
import { askingOffBecause, readAiSwitches } from '@draftshelf/database/ai/ai-imports';
import { readAiService } from '@draftshelf/database/ai/service';
import type { CallingTask } from '@draftshelf/database/chunks/calls';
import type { AiServiceRecord } from '@draftshelf/database/schema';
import { endWithoutService } from '@draftshelf/imports/ai/end-asking-task';
import { type AiCallReply, mannerKey, storeAiReply } from '@draftshelf/imports/ai/store-ai-reply';
import { type AiCall, takeAiCall } from '@draftshelf/imports/ai/take-ai-call';

type Call = { call: AiCall; service: AiService; manner: Manner };
type Answer = { call: AiCall; reply: AiCallReply };

/**
 * The task 'ask-ai': asks the AI service about the products that an operator has asked for, as the limits allow.
 * Address, key and switches are read for each part. Answers become proposals only.
 */
export function askAi(ai: CurrentAi): CallingTask<Call, Answer> {
  return {
    async take(db, chunk) {
      const service = await ai.find();
      if (service === null) return endWithoutService(db, chunk);
      const target = { baseUrl: service.baseUrl, model: service.model };
      const taken = await takeAiCall(db, chunk, { ...target, isSimulated: service.source === 'simulated' });
      if (typeof taken !== 'object' || !('call' in taken)) return taken;
      const manner = mannerOf(await readAiService(db), target);
      return { call: { call: taken.call, service, manner } };
    },
    async call({ call, service, manner }, signal) {
      const { tokensMax, msMax, request } = call;
      const reply = await askModel(service, request, { manner, tokensMax, msMax, signal, now: Date.now });
      return { call, reply: toStored(reply, manner) };
    },
    store: (db, _chunk, { call, reply }) => storeAiReply(db, call, reply),
    async isOn(db, chunk) {
      const switches = await readAiSwitches(db, chunk.import_id);
      return switches?.asks === true && askingOffBecause(switches) === null;
    },
  };
}

/** The manner that was found for this service, or the first one. */
function mannerOf(stored: AiServiceRecord, target: AiCall['target']): Manner {
  if (stored.manner_of !== mannerKey(target)) return firstManner;
  return {
    structure: stored.structure ?? firstManner.structure,
    tokenParameter: stored.token_parameter ?? firstManner.tokenParameter,
  };
}

const toManner = ({ structure, tokenParameter }: Manner) => ({
  structure,
  token_parameter: tokenParameter,
});

function toStored(reply: AiReply, manner: Manner): AiCallReply {
  switch (reply.kind) {
    case 'answer': {
      const { text, usage: used, pauseMs } = reply;
      const simpler = simplerThan(manner.structure);
      const next = simpler && toManner({ ...manner, structure: simpler });
      return { kind: 'answer', json: readJson(text), used, pauseMs, simpler: next };
    }
    case 'cut':
    case 'declined':
      return { kind: reply.kind, used: reply.usage };
    case 'manner':
      return { kind: 'manner', manner: toManner(reply.manner) };
    default:
      return reply;
  }
}
