import { createHash } from 'node:crypto';
import { canonicalJson } from '@draftshelf/domain/base/canonical-json';

/** Returns the hex sha256 of a draft's canonical JSON, for our `payload` metafield. Ignores refused quantities. */
export const payloadHash = (draft: object): string =>
  createHash('sha256')
    .update(canonicalJson(draft, ['refused_quantity']))
    .digest('hex');
