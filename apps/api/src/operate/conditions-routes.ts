import { listConditions } from '@draftshelf/contract/operate/conditions';
import { type Api, serve } from '../http/serve.ts';
import { sharedReply } from '../http/shared-reply.ts';
import type { ConditionWatch } from './watch-conditions.ts';

export function serveConditions(api: Api, { conditions }: { conditions: ConditionWatch }): void {
  const list = sharedReply(async () => ({
    conditions: await conditions.list(),
    ended: await conditions.listEnded(),
  }));
  serve(api, listConditions, list.body, { etag: list.version });
}
