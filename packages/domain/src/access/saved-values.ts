import type { z } from 'zod';

/** The saved values that `schema` accepts. Another version may have saved others. */
export function readableValues<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  saved: Readonly<Record<string, unknown>>,
): Partial<z.output<z.ZodObject<Shape>>> {
  const shape = schema.shape as Record<string, z.ZodType>;
  const readable = Object.entries(saved).filter(
    ([name, value]) => Object.hasOwn(shape, name) && shape[name]?.safeParse(value).success,
  );
  return Object.fromEntries(readable) as Partial<z.output<z.ZodObject<Shape>>>;
}
