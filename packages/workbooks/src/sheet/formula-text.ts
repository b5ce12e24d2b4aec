/** A picture by an address that is not composed of parts, or one of several that a condition chooses. */
const image = /^(?:_xlfn\.)?IMAGE\(\s*"(https?:\/\/[^"]+)"\s*[,;)]/i;
const imageOfGoogle = /^(?:IFERROR\()?__xludf\.DUMMYFUNCTION\(\s*"IMAGE\(\s*""(https?:\/\/[^"]+)""\s*[,;)]/i;
const constantLink = /^(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)$/i;

/** The text that a formula says by itself, whatever was calculated; null if it says none. */
export function statedText(formula: string): string | null {
  const address = (image.exec(formula) ?? imageOfGoogle.exec(formula))?.[1];
  if (address !== undefined) return address;
  // A picture within the workbook, as WPS writes it.
  return /\bDISPIMG\(/i.test(formula) ? '' : null;
}

/** What stands for a formula that was never calculated: the text of a constant link, else the formula. */
export function uncalculatedText(formula: string): { text: string; isCalculated: boolean } {
  const [link, address = '', text = address] = constantLink.exec(formula) ?? [];
  return link === undefined
    ? { text: `=${formula}`, isCalculated: false }
    : { text: text.replaceAll('""', '"'), isCalculated: true };
}
