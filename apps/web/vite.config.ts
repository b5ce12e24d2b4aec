import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** Shared modules that the login needs. They get their own chunk so that the login does not load the common one. */
const loginModules =
  /[\\/]components[\\/](?:ActionIcon|Input|InputBase|Title)[\\/]|[\\/]use-uncontrolled|[\\/](?:brand|color-scheme-switch)\.tsx/;

/** What opens later: dialogs, drawers and confirmations. They load when one of them is first shown. */
const dialogModules =
  /[\\/]components[\\/](?:Modal|ModalBase|Drawer)[\\/]|[\\/]react-(?:alert-)?dialog|[\\/]react-focus-|[\\/]react-(?:remove-scroll|style-singleton)|[\\/](?:aria-hidden|use-sidecar|use-callback-ref|tslib)[\\/]|[\\/](?:feedback[\\/]confirm|editor-drawer|dialog-end)\./;

/** What notifications and confirmations share. It stays with the confirmations, which no screen needs at first. */
const radixModules = /[\\/]@radix-ui[\\/]/;

/** Lists that open below a field, and what they share with dialogs. Few screens show such a field at first. */
const listModules =
  /[\\/]components[\\/](?:Combobox|FocusTrap|Popover|ScrollArea|Select)[\\/]|[\\/]use-(?:focus-trap|focus-return|click-outside|long-press|context-menu-handlers)/;

/** Tooltips, and what places floating elements. They load with the first hint or list. */
const floatingModules =
  /[\\/]@floating-ui[\\/]|[\\/]components[\\/](?:Tooltip[\\/]|hint-bubble\.)|[\\/]utils[\\/]Floating[\\/]/;

/** What only the screens with imports use: dashboard, queue, one import, history. */
const importModules =
  /[\\/]status[\\/](?:auto-|pace|import-|cancel-|use-import-)|[\\/](?:report-in-url|pager|page-numbers|filter-field|as-of|empty-queue|auto-retry|rows-api|workers-api|workers|quantity|compare-at|option-values)\./;

/** What the scanner opens later, and what few dialogs need: tags, passwords, numbers, AI service, store, diffs. */
const laterModules =
  /[\\/]features[\\/]scanner[\\/]|[\\/](?:charts|prices)[\\/]|[\\/]mapping-draft\.|[\\/]components[\\/](?:Textarea|Progress|Radio|Pill|PillsInput|TagsInput|PasswordInput|SegmentedControl|FloatingIndicator|NumberInput)[\\/]|[\\/]Checkbox[\\/]Checkbox|[\\/]react-number-format[\\/]|[\\/]use-(?:mutation-observer|shallow-effect|timeout)[\\/]|[\\/](?:shallow-equal|primitive|to-int)\.|[\\/](?:scanned-product|preferences|save-conflict|word-diff)\.|[\\/]ui[\\/]form\.|[\\/]Icon(?:Camera|Photo|PhotoOff)\.|[\\/](?:contract[\\/]src[\\/]\w+[\\/](?:ai|store)|store-api|infiniteQueryObserver|useInfiniteQuery)\./;

/**
 * Our own modules and icons, and product rules that an import's page and the scanner share. Two screens that share a
 * small module would need another file for it, with 0.7 kB of headers.
 */
const smallModules =
  /[\\/]web[\\/]src[\\/](?!.*(?:[\\/]import[\\/](?:list|page|plan|recipes|pictures)[\\/]|[\\/]mapping-editor|product|reread|rows[\\/]issue-|operation-kinds|features[\\/](?:scanner|upload|suppliers[\\/](?!index|named))|[\\/](?:charts|prices|report)[\\/]|price-counts|use-draft|command-words|preview-words|value-words|save-conflict|ui[\\/]form\.|proposals|[\\/]plan[\\/]|[\\/]undo[\\/]undo-|[\\/](?:system|preferences|rules|ai|store|commands)-api\.))|[\\/]product-dialog\.module\.|[\\/]contract[\\/]src[\\/]operate[\\/]health\.|[\\/]domain[\\/]src[\\/]\w+[\\/](?:images|photo-address)\.|[\\/]icons-react[\\/](?!.*[\\/]Icon(?:Camera|Photo)\.)/;

/**
 * What the head and rows of an import share with its details, dialogs and the lists of its plan. No other screen needs
 * it.
 */
const pageModules =
  /[\\/]features[\\/]import[\\/](?:page|plan)[\\/]|[\\/]import[\\/]list[\\/]asks-|[\\/]import[\\/](?:product[\\/](?:leave-out-button|use-leaving-out|picture-failure)|rows[\\/]rows-review|bulk-edit[\\/]command-words|edits[\\/]left-words)\./;

/** What the details of an import share with its drawers. */
const detailsModules = /[\\/]features[\\/]import[\\/](?:list|recipes|pictures)[\\/](?!asks-)/;

/** Rules of products, for the preview, the product's dialog and the dry run. All of them open later. */
const productModules = /[\\/]domain[\\/]src[\\/]products[\\/](?:draft-product|grouping|variant-options)\./;

/** Tabs and switches: Settings shows both at first. */
const controlModules = /[\\/]components[\\/](?:Switch|Tabs|InlineInput)[\\/]/;

/** The undo of a push: an import that was pushed shows it later. */
const undoModules =
  /[\\/](?:src[\\/]push[\\/]push-undo|push-undo-api|undo-actions|tell-undo|sum-lines|undone)\./;

/** What sends photos: dialogs of the scanner and of products share it. */
const photoModules =
  /[\\/]scanner[\\/](?:scanner-dialog|photos-api|photos[\\/](?:add|chosen|prepare)-photos?)\./;

/** Schemas and their library. Only forms check what is entered, and they load later. */
const schemaModules =
  /[\\/]zod[\\/]|[\\/]domain[\\/]src[\\/](?:base[\\/]schema|review[\\/]operations[\\/]operation)\./;

const notCommon = [
  schemaModules,
  productModules,
  undoModules,
  controlModules,
  floatingModules,
  dialogModules,
  radixModules,
  listModules,
  importModules,
  laterModules,
  pageModules,
  detailsModules,
];
const isCommon = (id: string) => !notCommon.some((modules) => modules.test(id));

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    // Small assets would become data: URLs, which the api's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // Browsers load source maps only when the developer tools are open.
    sourcemap: true,
    // The first chunk is 448 kB before compression, 207 kB of it react-dom. A browser test limits the bytes sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // The first chunk names nearly 200 files, and hashes don't compress: each character of them adds 0.1 kB.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7].[ext]',
        codeSplitting: {
          // By default a screen would need 20 to 40 files, each with 0.7 kB of headers.
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'login', test: loginModules },
            { name: 'common', test: isCommon, minShareCount: 3 },
            { name: 'floating', test: floatingModules },
            { name: 'lists', test: listModules },
            { name: 'dialogs', test: dialogModules },
            { name: 'imports', test: importModules },
            { name: 'controls', test: controlModules },
            { name: 'undo', test: undoModules },
            { name: 'shared', test: smallModules, minShareCount: 2, maxModuleSize: 7000 },
            { name: 'page', test: pageModules, minShareCount: 2 },
            { name: 'details', test: detailsModules, minShareCount: 2 },
            { name: 'products', test: productModules },
            { name: 'photos', test: photoModules },
            { name: 'schemas', test: schemaModules },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});
