import {
  type Purpose,
  purposes,
  type SealingKey,
  type SealingKeys,
  sealingKeyOf,
  sealingKeyText,
} from './sealing.ts';

/** By name: a service that is not here is a source of product data, or the AI service. */
const purposeByService: Record<string, Purpose> = {
  shopify: 'store',
  onedrive: 'folders',
  'onedrive-entered': 'folders',
};

/** What the credentials of a service are for. */
export const purposeOf = (service: string): Purpose => purposeByService[service] ?? 'lookups';

/** What the credentials are for that a worker reads. */
export const purposeOfWorker = {
  'enrich-worker': 'lookups',
  'push-worker': 'store',
  'folder-worker': 'folders',
} as const satisfies Record<string, Purpose>;

/**
 * The keys of a process with the root key: for all purposes. It also opens what the root key itself has sealed, as
 * earlier versions did. null without CREDENTIALS_KEY.
 */
export function sealingKeysOf(env: {
  CREDENTIALS_KEY?: string | undefined;
  CREDENTIALS_KEY_OLD?: string | undefined;
}): SealingKeys | null {
  const { CREDENTIALS_KEY: root, CREDENTIALS_KEY_OLD: old } = env;
  if (root === undefined) return null;
  const keysOf = (purpose: Purpose): readonly [SealingKey, ...SealingKey[]] => [
    sealingKeyOf(sealingKeyText(root, purpose)),
    sealingKeyOf(root),
    ...(old === undefined ? [] : [sealingKeyOf(sealingKeyText(old, purpose)), sealingKeyOf(old)]),
  ];
  return Object.fromEntries(purposes.map((purpose) => [purpose, keysOf(purpose)]));
}

/** The key of a worker, which reads credentials of one purpose. null without SEALING_KEY. */
export function workerKeysOf(
  env: { SEALING_KEY?: string | undefined },
  purpose: Purpose,
): SealingKeys | null {
  return env.SEALING_KEY === undefined ? null : { [purpose]: [sealingKeyOf(env.SEALING_KEY)] };
}

/** The ids of all keys that open stored values. */
export const idsOf = (keys: SealingKeys | null): string[] =>
  Object.values(keys ?? {}).flatMap((ring) => ring.map(({ id }) => id));
