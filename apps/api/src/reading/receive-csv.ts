import { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { MappingChoice, ReadingAnswers } from '@draftshelf/contract/reading/mapping';
import {
  tooFewRecordsMessage,
  uploadDialectField,
  uploadFileFields,
  uploadMappingField,
  uploadReadingsField,
} from '@draftshelf/contract/wire';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { RecalledMapping } from '@draftshelf/core/reading/mappings';
import {
  discardFile,
  type FileLimits,
  FileRefused,
  refineRefusal,
  type TakenFile,
  takeFile,
} from '@draftshelf/core/reading/take-file';
import { findRefusalByName } from '@draftshelf/csv/detect/other-workbooks';
import { toShownFilename } from '@draftshelf/domain/base/file-name';
import { parseJson } from '@draftshelf/domain/base/parse-json';
import { isListFile } from '@draftshelf/domain/reading/list-files';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { overridesFromChoices } from '@draftshelf/domain/reading/mapping/mapping-memory';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { stopWhenTooSlow } from '../http/body-pace.ts';
import type { FileSlicer } from '../http/in-slices.ts';
import { invalid, Refusal } from '../http/refusal.ts';
import type { ReceivingSignals } from './receive-in-turn.ts';

type ReceivedFile = { file: TakenFile; filename: string };
export type ReceivedUpload = ReceivedFile & { fields: ReadonlyMap<string, string> };

export type IntakeDeps = {
  intake: OpenDatabase;
  storage: ObjectStorage;
  limits: FileLimits;
  inSlices: FileSlicer;
};

type Deps = IntakeDeps &
  ReceivingSignals & { recall: (headers: string[]) => Promise<RecalledMapping | undefined> };

/** Receives a file with fields. Reads the whole request, so that browsers see the reply. Stores nothing on an error. */
export async function receiveCsv(request: FastifyRequest, deps: Deps): Promise<ReceivedUpload> {
  if (!request.isMultipart()) throw invalid('Please select a CSV file');
  const fields = new Map<string, string>();
  const cameFirst = new Set<string>();
  let received: ReceivedFile | undefined;
  let failure: unknown;
  let files = 0;
  try {
    for await (const part of stopWhenTooSlow(refuseParserErrors(request.parts()), deps.signal)) {
      if (part.type === 'field') {
        fields.set(part.fieldname, String(part.value));
        continue;
      }
      files += 1;
      try {
        if (files > 1) throw invalid('Upload one file at a time.');
        for (const name of fields.keys()) cameFirst.add(name);
        received = await receiveFile(part, fields, deps);
      } catch (error) {
        failure ??= error;
        // The listener keeps the file's stream flowing after the reader has stopped.
        part.file.on('data', () => {}).resume();
      }
    }
    if (failure) throw failure;
    const late = fieldsBeforeFile.find((name) => fields.has(name) && !cameFirst.has(name));
    if (received && late !== undefined) throw invalid(`The ${late} field must come before the file.`, late);
    if (!received) throw invalid('Please select a CSV file');
    return { ...received, fields };
  } catch (error) {
    if (received) await discardFile(received.file, deps.storage);
    throw error;
  }
}

/** These fields must come before the file, because they are needed while the file streams in. */
const fieldsBeforeFile = [uploadDialectField, uploadMappingField, uploadReadingsField] as const;

async function receiveFile(
  part: MultipartFile,
  fields: ReadonlyMap<string, string>,
  { intake, storage, limits, recall, inSlices, signal, gone }: Deps,
): Promise<ReceivedFile> {
  const { table, ...dialect } = chosenDialect(fields);
  const mapping = chosenMapping(fields);
  checkFile(part);
  // The stream is not destroyed on exit: it is drained, so that the client sees the reply.
  const arriving = stopWhenTooSlow(
    refuseParserErrors<Buffer>(part.file.iterator({ destroyOnReturn: false })),
    signal,
  );
  const pieces = inSlices(arriving);
  try {
    const file = await takeFile(pieces, {
      db: intake.db,
      storage,
      limits,
      overrides: { dialect, mapping },
      table,
      signal: gone,
      ...(fields.get('testMode') === 'true' ? {} : { recall }),
    });
    return { file, filename: filenameOf(part) };
  } catch (error) {
    throw error instanceof FileRefused ? toRefusal(refineRefusal(error, part.filename)) : error;
  }
}

function chosenDialect(fields: ReadonlyMap<string, string>): DialectChoice {
  const text = fields.get(uploadDialectField);
  if (text === undefined) return {};
  const choice = DialectChoice.safeParse(parseJson(text));
  if (!choice.success) throw invalid('These file settings aren’t supported.', uploadDialectField);
  return choice.data;
}

function chosenMapping(fields: ReadonlyMap<string, string>): MappingOverrides | undefined {
  const text = fields.get(uploadMappingField);
  if (text === undefined) return undefined;
  const answers = ReadingAnswers.safeParse(parseJson(fields.get(uploadReadingsField) ?? '{}'));
  if (!answers.success) throw invalid('These column settings aren’t supported.', uploadReadingsField);
  const choice = MappingChoice.safeParse(parseJson(text));
  if (!choice.success) {
    const issue = choice.error.issues.find(({ code }) => code === 'custom');
    throw invalid(issue?.message ?? 'These column settings aren’t supported.', uploadMappingField);
  }
  return overridesFromChoices({ columns: choice.data, readings: answers.data }, { by: 'operator' });
}

function checkFile(part: MultipartFile): void {
  if (!(uploadFileFields as readonly string[]).includes(part.fieldname)) {
    throw invalid(`Put the file in the field ${uploadFileFields.join(' or ')}.`, part.fieldname);
  }
  const other = findRefusalByName(part.filename);
  if (other !== null) throw new Refusal(400, { code: 'not_csv', message: other });
  if (!isListFile({ name: part.filename, type: part.mimetype }))
    throw new Refusal(400, { code: 'invalid_file_type', message: 'Please select a CSV file' });
}

/** Returns the filename without the path that some clients send. Browsers escape quotes and line breaks as %XX. */
function filenameOf(part: MultipartFile): string {
  const filename = part.filename.replaceAll('%22', '"').replaceAll(/%0[AD]/g, '');
  return toShownFilename(filename.replace(/^.*[/\\]/, '')) || 'upload.csv';
}

export function toRefusal({ reason, message, cause }: FileRefused): Refusal {
  switch (reason) {
    case 'too_large':
      return new Refusal(413, { code: reason, message });
    case 'too_few_records':
      return new Refusal(400, { code: reason, message: tooFewRecordsMessage });
    case 'conversion_died':
      return new Refusal(400, { code: reason, message }, undefined, { cause });
    default:
      return new Refusal(400, { code: reason, message });
  }
}

/** Turns a multipart parser's errors without a status code into a Refusal. */
export async function* refuseParserErrors<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error;
    const message = 'The upload was interrupted. Try again.';
    throw new Refusal(400, { code: 'malformed', message });
  }
}
