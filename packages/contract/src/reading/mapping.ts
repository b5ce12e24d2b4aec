import { isRowField, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { allAnswers, readingAnswers } from '@draftshelf/domain/reading/column-questions';
import { z } from 'zod';
import { Moved } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count, Done, FieldName } from '../values.ts';
import { detectField } from '../wire.ts';

/** The most columns whose fields can be set; a file has at most as many. */
export const mappedColumnsMax = 2000;
const questionKinds = Object.keys(readingAnswers).length;
const tooManyColumns = `Set the fields of at most ${mappedColumnsMax.toLocaleString('en-US')} columns.`;

/** Fields as the operator sets them, by the column's name; null: the column has no field. The others are detected. */
export const MappingChoice = z
  .record(z.string(), FieldName.nullable())
  .refine((choice) => Object.keys(choice).length <= mappedColumnsMax, tooManyColumns);
export type MappingChoice = z.infer<typeof MappingChoice>;

/**
 * Answers about the cells of columns, by the column's name: '.' or ',' marks decimals; amounts are in cents or units;
 * of a price of several pieces that of one is sent, it is sent as it is, or no price. Several answers about one column
 * are a list.
 */
export const ReadingAnswers = z
  .record(z.string(), z.union([z.enum(allAnswers), z.array(z.enum(allAnswers)).max(questionKinds)]))
  .refine((answers) => Object.keys(answers).length <= mappedColumnsMax, tooManyColumns);
export type ReadingAnswers = z.infer<typeof ReadingAnswers>;

const FieldOrDetect = z.custom<RowField | typeof detectField>(
  (value) => value === detectField || isRowField(value),
  { error: ({ input }) => `There is no field “${String(input)}”.` },
);

/** Changes of the fields of an import's columns. */
export const MappingChanges = z
  .record(z.string(), FieldOrDetect.nullable())
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change.')
  .refine((changes) => Object.keys(changes).length <= mappedColumnsMax, tooManyColumns);
export type MappingChanges = z.infer<typeof MappingChanges>;

/** A column of a file, how it is mapped, and why. */
export const MappedColumn = z.object({
  /** Its unique name. */
  header: z.string(),
  field: z.string().nullable(),
  /** 0 to 1; 0 if it has no field. */
  confidence: z.number(),
  reason: z.string(),
  /** The origin of the field: the operator, for this file or for an earlier one like it; null: it was detected. */
  setBy: z.enum(['operator', 'memory']).nullable(),
  rememberedFrom: z.string().nullable(),
  /** Up to three different values, cut to 80 characters. */
  samples: z.array(z.string()),
  /** Up to three other fields that it may hold, best first. */
  alternatives: z.array(z.object({ field: z.string(), confidence: z.number() })),
  /** Profile of its cells in the first rows; null: they were not kept. The shares are 0 to 1. */
  profile: z
    .object({
      rows: z.number().int(),
      filled: z.number(),
      numeric: z.number(),
      distinct: z.number(),
      amounts: z.array(z.number()).nullable(),
    })
    .nullable(),
});
export type MappedColumn = z.infer<typeof MappedColumn>;

/**
 * The columns of an import's current rows, in the order of the file. With `fresh`, metafields that the store defines
 * now are among the alternatives; a store that does not answer for a while adds those that were read last.
 */
export const getMapping = route('getMapping', {
  aliases: ['/api/jobs/:id/mapping'],
  query: z.object({ fresh: z.literal('true').optional() }),
  reply: z.object({ columns: z.array(MappedColumn) }),
});

/** Re-reads the stored file with these fields (the next parse run). Edits are kept. 409 while the import runs. */
export const changeMapping = route('changeMapping', {
  aliases: ['/api/jobs/:id/mapping'],
  body: MappingChanges,
  reply: Moved,
});

/**
 * Answers how columns are read, and re-reads the stored file so (the next parse run). Files with the same headers are
 * read like this from now on. Edits are kept. 409 while the import runs.
 */
export const answerReadings = route('answerReadings', {
  body: ReadingAnswers.refine((answers) => Object.keys(answers).length > 0, 'Nothing to answer.'),
  reply: Moved,
});

/** The fields that a column can be mapped to, with the header names that mean them. */
export const listFields = route('listFields', {
  reply: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      required: z.boolean(),
      aliases: z.array(z.string()),
    }),
  ),
});

/** A metafield of the store that columns can be mapped to. */
export const Metafield = z.object({
  /** The target of a column: 'm:custom.care'. */
  field: FieldName,
  name: z.string(),
  /** 'custom.care'. */
  key: z.string(),
  description: z.string().nullable(),
  /** In words: 'whole number'. */
  type: z.string(),
});
export type Metafield = z.infer<typeof Metafield>;

/**
 * The metafields of products that the connected store defines, by name, without those of apps; none without a store.
 * Those whose values cells cannot have are counted in `left`: references, ratings, rich text and JSON. If the store
 * does not answer, they are as they were read last.
 */
export const listMetafields = route('listMetafields', {
  reply: z.object({ metafields: z.array(Metafield), left: count }),
});

/** The operator's settings for a file, remembered for files with the same or similar headers. */
export const RememberedMapping = z.object({
  fingerprint: z.string(),
  /** The number of named columns of that file. */
  headers: z.number().int(),
  /** The fields that were set, by column; null: no field. */
  columns: z.record(z.string(), z.string().nullable()),
  /** The operator's answers about columns. */
  readings: ReadingAnswers.default({}),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  /** When an upload last used it; null: not yet. */
  usedAt: z.iso.datetime().nullable(),
  uses: z.number().int(),
});
export type RememberedMapping = z.infer<typeof RememberedMapping>;

/** Remembered mappings, newest first, at most 500. */
export const listMappings = route('listMappings', {
  reply: z.array(RememberedMapping),
});

export const forgetMapping = route('forgetMapping', {
  params: z.object({ fingerprint: z.string().regex(/^[\da-f]{64}$/) }),
  reply: Done,
});

/** The remembered mapping that an upload of a file with these headers would use, or null. */
export const recallMapping = route('recallMapping', {
  body: z.object({ headers: z.array(z.string()).max(mappedColumnsMax) }),
  reply: z.object({
    mapping: RememberedMapping.pick({
      fingerprint: true,
      columns: true,
      readings: true,
      filename: true,
    }).nullable(),
  }),
});
