import { createHash } from 'node:crypto';
import { canonicalJson } from '@draftshelf/domain/base/canonical-json';

/** The hex sha256 of a draft's canonical JSON, for our `payload` metafield. Refused quantities are not sent. */
export const payloadHash = (draft: object): string =>
  createHash('sha256')
    .update(canonicalJson(draft, ['refused_quantity']))
    .digest('hex');
