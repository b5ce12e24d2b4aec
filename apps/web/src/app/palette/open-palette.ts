import { createContext } from 'react';

/** Opens the palette. */
export const OpenPaletteContext = createContext<() => void>(() => {});
