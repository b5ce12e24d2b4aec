import { createContext, use } from 'react';

export type Frame = {
  /** Place for the screen's title and actions; null until the bar is drawn. */
  bar: HTMLElement | null;
  /** The bar has room for more than a title and actions. */
  roomy: boolean;
  /** Called with a title that has just been drawn. */
  onTitle: (title: HTMLElement) => void;
};

export const FrameContext = createContext<Frame>({ bar: null, roomy: true, onTitle: () => {} });

export const ServerLostContext = createContext(false);

/** Null while the server answers. */
export function useLostReason(): string | null {
  return use(ServerLostContext) ? 'No connection to the server.' : null;
}
