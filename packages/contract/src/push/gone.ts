import { goneActions, goneCodes, goneOutcomes } from '@draftshelf/domain/suppliers/gone';
import { z } from 'zod';
import { ChangedJobReply } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count } from '../values.ts';
import { undoStates } from './push-undo.ts';

const End = z.enum(goneOutcomes);
const sums = z.array(z.object({ end: End, code: z.enum(goneCodes).nullable(), products: count }));

const goneKeysMax = 1_000;

/** Begins a plan for gone products of the latest list: 202, or 409. `keys`: the selected products; if absent, all. */
export const planGone = route('planGone', {
  body: z.strictObject({
    action: z.enum(goneActions),
    keys: z.array(z.string().max(1_000)).min(1).max(goneKeysMax).optional(),
  }),
  reply: ChangedJobReply,
});

/** The plan for gone products. `state` uses the states of an undo; `undone` means that the plan was carried out. */
export const GoneProductsPlan = z.object({
  plan: count.nullable(),
  state: z.enum(undoStates),
  action: z.enum(goneActions).nullable(),
  message: z.string().nullable(),
  done: count,
  total: count,
  sums,
  /** Number of products to change that are on sale. */
  onSale: count,
  results: sums,
  /** The push run that carried out the plan and that can be undone. Null until it has ended. */
  run: count.nullable(),
});
export type GoneProductsPlan = z.infer<typeof GoneProductsPlan>;

export const getGone = route('getGone', { reply: GoneProductsPlan });

export const gonePageSize = 50;

export const listGoneProducts = route('listGoneProducts', {
  query: z.object({
    end: End.optional(),
    code: z.enum(goneCodes).optional(),
    results: z.literal('true').optional(),
    after: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  }),
  reply: z.object({
    products: z.array(
      z.object({
        line: count,
        title: z.string().nullable(),
        key: z.string(),
        /** False if only some of the product's variants are gone. */
        isWhole: z.boolean(),
        end: End.nullable(),
        message: z.string().nullable(),
        storeUrl: z.string().nullable(),
      }),
    ),
    next: count.nullable(),
  }),
});

/** Carries out a plan: 202, or 409 if it is unfinished, outdated or replaced. The push can be paused and undone. */
export const pushGone = route('pushGone', {
  body: z.strictObject({ plan: count }),
  reply: ChangedJobReply,
});
