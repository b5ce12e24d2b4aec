import {
  type Purpose,
  purposes,
  type SealingKey,
  type SealingKeys,
  sealingKeyOf,
  sealingKeyText,
} from './sealing.ts';

/** Other services are sources of product data, or the AI service. */
const purposeByService: Record<string, Purpose> = {
  shopify: 'store',
  onedrive: 'folders',
  'onedrive-entered': 'folders',
};

export const purposeOf = (service: string): Purpose => purposeByService[service] ?? 'lookups';

export const purposeOfWorker = {
  'enrich-worker': 'lookups',
  'push-worker': 'store',
  'folder-worker': 'folders',
} as const satisfies Record<string, Purpose>;

/** The keys of a process with the root key; earlier versions sealed values with the root key itself. */
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

export const idsOf = (keys: SealingKeys | null): string[] =>
  Object.values(keys ?? {}).flatMap((ring) => ring.map(({ id }) => id));
