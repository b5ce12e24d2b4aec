import { z } from 'zod';
import type { Structure } from './behavior.ts';

const text = z.string().default('');

/** A product as the request describes it. */
const Product = z.object({
  id: z.string(),
  ask: z.array(z.string()).default([]),
  title: text,
  description: text,
  vendor: text,
  type: text,
  tags: z.array(z.string()).default([]),
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).default([]),
  columns: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
export type Product = z.infer<typeof Product>;

const Data = z.object({
  types: z.array(z.string()).default([]),
  vendors: z.array(z.string()).default([]),
  products: z.array(Product),
});

/** The part of a chat completion's request that matters here. */
export const ChatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  response_format: z.object({ type: z.string(), json_schema: z.unknown().optional() }).optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** The products of a request, and types and vendors to choose from; null: it is not about products. */
export function dataOf({ messages }: ChatRequest): z.infer<typeof Data> | null {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  try {
    return Data.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

export function structureOf({ response_format }: ChatRequest): Structure {
  if (response_format?.type === 'json_schema') return 'schema';
  return response_format?.type === 'json_object' ? 'object' : 'text';
}

/** The tokens of a request: its messages and its schema, with a few for each message. */
export function tokensOf({ messages, response_format }: ChatRequest, bytesPerToken: number): number {
  const schema = JSON.stringify(response_format?.json_schema ?? '');
  const texts = [...messages.map(({ content }) => content), schema];
  const bytes = texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  return Math.ceil(bytes / bytesPerToken) + 4 * messages.length;
}
