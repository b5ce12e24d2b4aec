import type { LiveProduct } from '../product-state.ts';

/** A product as an undo reads it, with what a push neither sets nor compares. */
export type UndoLive = LiveProduct & {
  /** When the store created it, by the store's clock, in whole seconds. */
  createdAt: string;
  /** When it was published to the online store; null if it is not. */
  publishedAt: string | null;
  /** Title and description for search engines; null if nobody has set them. */
  seo: { title: string | null; description: string | null };
  /** Shopify's category; null if there is none. */
  category: string | null;
  /** The theme template; null for the default. */
  templateSuffix: string | null;
};
