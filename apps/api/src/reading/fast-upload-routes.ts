import { type FastUploadReply, fastUpload } from '@draftshelf/contract/reading/upload';
import { checkFile } from '@draftshelf/core/reading/check-file';
import { type FileLimits, FileRefused } from '@draftshelf/core/reading/take-file';
import type { BodyTime } from '../http/body-time.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { csvContent } from './csv-content.ts';
import { refusalOf } from './receive-csv.ts';

/**
 * POST /api/fast-upload reads a text as an upload would and keeps nothing. One such request at a time: it is for tests,
 * and large ones must not slow down uploads.
 */
export async function serveFastUpload(
  { app, ...api }: Api,
  deps: { limits: FileLimits; bodyTime: BodyTime },
): Promise<void> {
  await app.register(async (scope) => {
    // Runs after the guard.
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
        return replyOf(await checkFile(csvContent(body, limits.csvBytesMax), limits));
      } catch (error) {
        throw error instanceof FileRefused ? refusalOf(error) : error;
      } finally {
        busy = false;
      }
    } finally {
      // The client sees the reply only if the rest of its body is read.
      body.resume();
    }
  };
}

function replyOf({
  rows,
  products,
  classes,
  readingIssues,
  firstRows,
}: Awaited<ReturnType<typeof checkFile>>): FastUploadReply {
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
}
