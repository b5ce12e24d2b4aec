/** Returns the sentences about privacy. docs/OPERATIONS.md has the same sentences, and a test compares them. */
export function privacySentences({ host, model }: { host: string; model: string }): string[] {
  return [
    `Draftshelf sends the title, description, vendor, product type, tags, options and up to ten further columns of the products you ask about to ${host} and its model ${model}.`,
    'As suggestions, it also sends up to 100 product types and 100 brands of the import, and the product types of your store.',
    'It never sends file names, your store’s address or its keys.',
    'It leaves out columns whose names or values look like prices, costs, stock, SKUs, barcodes or contacts, and removes e-mail addresses, phone numbers and barcodes from texts.',
    'A price or a SKU within a title, description or tag is sent with that text.',
    `What ${host} does with it is up to that service; with a model on your own machine (for example Ollama) nothing leaves that machine.`,
    'Nothing is sent until you ask.',
  ];
}

/** Returns the sentence that follows the help text of the AI switch. */
export const aiSwitchSentence = (isSetUp: boolean): string =>
  isSetUp
    ? 'Ask AI is in the … menu of each import; nothing is sent before you use it.'
    : 'No AI service is set up, so nothing is sent anywhere.';
