/** A file with random access: ranges of a stored object, or slices of a File. */
export type ByteSource = {
  readonly bytes: number;
  stream(from: number, to: number): AsyncIterable<Uint8Array>;
};

export function toBlobSource(blob: Blob): ByteSource {
  return { bytes: blob.size, stream: (from, to) => iterateChunks(blob.slice(from, to).stream()) };
}

export const toBytesSource = (bytes: Uint8Array): ByteSource => ({
  bytes: bytes.length,
  stream: async function* (from, to) {
    yield bytes.subarray(from, to);
  },
});

export function sliceSource(source: ByteSource, from: number, bytes: number): ByteSource {
  return { bytes, stream: (start, end) => source.stream(from + start, from + Math.min(end, bytes)) };
}

/** Reads a range. The result is shorter if the source ends first. */
export async function readRange(source: ByteSource, from: number, to: number): Promise<Uint8Array> {
  const end = Math.min(to, source.bytes);
  const bytes = new Uint8Array(Math.max(0, end - from));
  let at = 0;
  if (bytes.length === 0) return bytes;
  for await (const chunk of source.stream(from, end)) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += Math.min(chunk.length, bytes.length - at);
  }
  return bytes.subarray(0, at);
}

/** Iterates over a stream with a reader, because some browsers cannot iterate over streams. */
export async function* iterateChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Has no effect on a stream that has ended.
    await reader.cancel().catch(() => {});
  }
}
