import { foldText, wordsOf } from './fold-text.ts';

export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'pl'] as const;
export type Language = (typeof languages)[number];

/** Frequent words of product texts, folded. Those before '|' are not used in the other languages' texts. */
const lists: Record<Language, string> = {
  en: `the and with from this that your which of made for is are its it's has by will not it to each any all these their
    available comes while when you can into where every both also | in on a an as at or be no off up over fur per via out
    set was die man war hat de der den das am bad also plus sur son sin con fine come more made do one van till aux`,
  de: `und mit für der das aus eine einer einem einen eines ist nicht auch sich wird oder dem zum zur bei durch sind
    einfach ihre ihr wie über sie ohne sowie kommt lässt vieles ein hergestellt eignet | die den des in am im an auf von
    er es war was so man als ab alle bis da per je dank nie los all will not also`,
  fr: `avec pour dans une est les des aux qui cette ce sont du et vous votre vos elle il ses chaque sans très ainsi fait
    faite peut être où | le la de un sur en par plus que se sa son au ou ne pas a l d on les tout dit`,
  es: `con para los las una del por que es su este esta y más muy sin el hecha hecho cada sus tiene mide | de la un
    en a al se le lo o no como son todo has aux`,
  it: `con per della dei delle del una gli che è di nel alla sono questo questa dal dalla il ogni un' anche nella degli
    da lo fatto si | la le in un al e i a se ha come o non aux`,
  nl: `met voor een het van uit zijn deze ook niet dit wordt bij naar geschikt maar als heeft kan wordt je uw | en de in
    is op te die dat of der den om was over men te per all aux`,
  pt: `com para uma dos das não do da um é seu sua mais os ao na no nas nos muito cada feito feita tem pela pelo | de em e
    a o as por que se como ou`,
  sv: `och med för är av ett till som på från inte den det du din kan även eller vid har utan samt så | en i de men om
    var man dem att per alla del all aux`,
  da: `og med til af er på som fra ikke den det du din kan også eller ved har uden et samt så | en i de men om der for
    at man vi per del all`,
  pl: `jest oraz się nie dla ze przez lub który która które jego jej ma tego bez oraz przy jako na z w | i do to od o za
    po a te ten`,
};

type WordList = { telling: Set<string>; all: Set<string> };
/** Frequent words of each language. `telling`: those that other languages do not use. */
export const frequentWords = Object.fromEntries(
  languages.map((language): [Language, WordList] => {
    const [telling = '', shared = ''] = lists[language].split('|');
    const [some, others] = [telling, shared].map((words) => wordsOf(foldText(words)));
    return [language, { telling: new Set(some), all: new Set([...(some ?? []), ...(others ?? [])]) }];
  }),
) as Record<Language, WordList>;

/** Whether a folded word is a frequent one of any language. */
export const isFrequent = (word: string): boolean =>
  languages.some((language) => frequentWords[language].all.has(word));
