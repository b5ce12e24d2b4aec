import type { Readable } from 'node:stream';
import { type FastUploadReply, fastUpload } from '@draftshelf/contract/reading/upload';
import { checkFile } from '@draftshelf/core/reading/check-file';
import { type FileLimits, FileRefused } from '@draftshelf/core/reading/take-file';
import type { Token } from 'stream-json/core/parser.js';
import type { BodyTimeLimit } from '../http/body-time.ts';
import { createJsonTokenizer, tooLargeRefusal } from '../http/json-tokens.ts';
import { invalid, Refusal } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { refuseParserErrors, toRefusal } from './receive-csv.ts';

/** Serves `fastUpload`, a route for tests. It stores nothing, and reads one text at a time to keep uploads fast. */
export async function serveFastUpload(
  { app, ...api }: Api,
  deps: { limits: FileLimits; bodyTime: BodyTimeLimit },
): Promise<void> {
  await app.register(async (scope) => {
    // Runs after the guard, so that only clients with a session get more time.
    scope.addHook('onRequest', async (request) => deps.bodyTime.extend(request));
    // The handler parses the body as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    serve({ ...api, app: scope }, fastUpload, handleFastUpload(deps));
  });
}

function handleFastUpload({ limits }: { limits: FileLimits }) {
  let busy = false;
  return async ({ request }: Call<typeof fastUpload>): Promise<FastUploadReply> => {
    const body = request.raw;
    try {
      if (busy) {
        const message = 'Another test file is being read. Try again in a moment.';
        throw new Refusal(409, { code: 'busy', message });
      }
      busy = true;
      try {
        const { rows, products, classes, readingIssues, firstRows } = await checkFile(
          csvContent(body, limits.csvBytesMax),
          limits,
        );
        return {
          success: true,
          processed: rows,
          totalProducts: products,
          valid: classes.valid,
          warnings: classes.warning,
          errors: classes.error,
          formattingProblems: readingIssues,
          firstRows,
        };
      } catch (error) {
        throw error instanceof FileRefused ? toRefusal(error) : error;
      } finally {
        busy = false;
      }
    } finally {
      // The rest of the body must be read, or else the client does not see the reply.
      body.resume();
    }
  };
}

/** A key with more characters cannot be `csvContent`. */
const keyCharsMax = 64;
/** JSON needs up to six bytes for an escaped byte. */
const escapedBytesMax = 6;

// Yields `csvContent` without holding the whole body. Throws a Refusal if the text is missing or too long.
async function* csvContent(body: Readable, textBytesMax: number): AsyncGenerator<Buffer> {
  const tokensOf = createJsonTokenizer({ packValues: false });
  const finder = contentFinder();
  let bytes = 0;
  // The stream is not destroyed on exit: it is drained, so that the client sees the reply.
  for await (const piece of refuseParserErrors<Buffer>(body.iterator({ destroyOnReturn: false }))) {
    bytes += piece.length;
    if (bytes > escapedBytesMax * textBytesMax) throw tooLargeRefusal();
    const text = tokensOf(piece).map(finder.next).join('');
    if (text !== '') yield Buffer.from(text);
  }
  if (bytes > 0) tokensOf(null);
  if (!finder.found()) throw invalid('Send the content of the file as the string csvContent.', 'csvContent');
}

function contentFinder() {
  let depth = 0;
  let key = '';
  let within: 'key' | 'content' | null = null;
  let found = false;
  return {
    found: () => found,
    next(token: Token): string {
      const { name } = token;
      if (name === 'startObject' || name === 'startArray') depth += 1;
      else if (name === 'endObject' || name === 'endArray') depth -= 1;
      else if (name === 'endKey' || name === 'endString') within = null;
      else if (name === 'startKey') {
        key = '';
        within = depth === 1 ? 'key' : null;
      } else if (name === 'startString') {
        within = depth === 1 && key === 'csvContent' && !found ? 'content' : null;
        found ||= within === 'content';
      } else if (token.name === 'stringChunk') {
        if (within === 'content') return token.value;
        if (within === 'key' && key.length <= keyCharsMax) key += token.value;
      }
      return '';
    },
  };
}
