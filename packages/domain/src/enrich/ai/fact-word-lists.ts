/**
 * Colours, materials and sizes in the languages of suppliers' files: a line per concept with the folded words of
 * en | de | fr | es | it | nl | pt | sv | da | pl | Russian, Greek, Chinese and Japanese. An ending '*' stands for any
 * letters. '>' names wider concepts: a row with oak is also about wood.
 */
export const languageColumns = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'pl', 'other'] as const;

export const colorLines = `
black|schwarz*|noir*|negro* negra*|nero nera neri nere|zwart*|preto* preta*|svart*|sort sorte|czarn*|черный черная черное черные черного черной μαυρ* 黑色 黒色 黒 чорн* 검정* 블랙*
white|weiss*|blanc* blanche*|blanco* blanca*|bianc*|wit witte|branco* branca*|vit vita vitt|hvid*|bial*|белый белая белое белые белого белой λευκ* ασπρ* 白色 біл* 흰색* 화이트*
gray grey|grau*|gris grise*|gris grises|grigi*|grijs grijze|cinza*|gra gratt|gra graa|szar*|серый серая серое серые серого серой серую γκρι 灰色 グレー сір* 회색* 그레이*
red reddish|rot rote roten roter rotes|rouge*|rojo* roja*|ross*|rood rode|vermelh*|rod roda rott|rod rode|czerwon*|красн* κοκκιν* 红色 紅色 赤色 赤 червон* 빨강* 빨간* 레드*
blue bluish|blau*|bleu*|azul*|blu azzurr*|blauw*|azul azuis|bla blatt|bla blaa|niebiesk* granatow*|синий синя* сине* синих голуб* μπλε 蓝色 藍色 青色 青 синіи блакитн* 파란* 파랑* 블루*
navy|marineblau*|marine|-|-|marineblauw*|-|marinbla|marinebla|-|-
green greenish|grun*|vert verte*|verde*|verde* verdi|groen*|verde*|gron grona gront|gron gronne|zielon*|зелен* πρασιν* 绿色 綠色 緑色 초록* 녹색* 그린*
yellow|gelb*|jaune*|amarill*|giall*|geel gele|amarel*|gul gula gult|gul gule|zolt*|желт* κιτριν* 黄色 жовт* 노란* 노랑* 옐로우*
orange|orange*|orange*|naranja*|arancio*|oranje|laranja*|orange|orange|pomaranczow*|оранж* πορτοκαλι 橙色
pink|rosa rosafarb* pink|rose|rosa rosado*|rosa|roze|rosa cor-de-rosa|rosa|lyserod*|rozow*|розов* ροζ 粉色 粉红 ピンク рожев* 핑크* 분홍*
purple violet|lila violett*|violet*|morad* violeta*|viola|paars*|rox*|lila|lilla|fiolet*|фиолет* μωβ 紫色
brown|braun*|brun brune*|marron*|marron*|bruin*|castanh* marrom|brun bruna brunt|brun brune|brazow*|коричн* καφε 棕色 褐色 茶色 коричнев* 갈색* 브라운*
beige|beige*|beige*|beige*|beige|beige|bege|beige|beige|bezow*|беж* μπεζ 米色
cream ivory ecru|creme cremefarb* elfenbein*|creme ivoire ecru|crema marfil|crema avorio|creme ivoor|creme marfim|gradd*|creme|kremow*|кремов* εκρου 象牙
turquoise teal aqua cyan|turkis* petrol|turquoise*|turques*|turchese|turkoois turquoise|turques*|turkos*|turkis*|turkus*|бирюз* τυρκουαζ 青绿
gold golden|gold* golden*|dore*|dorad*|dorat* oro|goud*|dourad* ouro|guld*|guld*|zlot*|золот* χρυσ* 金色 золотист*
silver silvery|silber*|argent argente*|plata platead*|argent*|zilver*|prata pratead*|silver*|solv*|srebr*|серебр* ασημ* 银色 銀色 срібл*
copper|kupfer*|cuivre*|cobre cobriz*|rame ramat*|koper*|cobre|koppar*|kobber*|miedz*|медн* χαλκ* 铜
bronze|bronze*|bronze*|bronce*|bronzo|brons*|bronze|brons*|bronze*|braz brazu|бронз* 青铜
burgundy maroon crimson scarlet|bordeaux weinrot*|bordeaux|burdeos granate|bordeaux|bordeaux bordo|bordo|vinrod*|vinrod*|bordow*|бордов* 酒红
khaki olive|khaki oliv olivgrun*|kaki|caqui oliva|cachi|kaki|caqui|kaki|kaki|oliwkow*|хаки оливк* 卡其
charcoal anthracite|anthrazit*|anthracite|antracita|antracite|antraciet*|antracite|antracit*|antracit*|antracyt*|антрацит*
mint|mint mintgrun*|menthe|menta|menta|mint|menta|mint|mint|mietow*|мятн*
apricot|apricot|abricot|albaricoque|albicocca|abrikoos|damasco|aprikos|abrikos|morelow*|-
sage|salbei*|sauge|salvia|salvia|salie|salvia|salvia|salvie|szalw*|-
rust|rostrot* rostfarb*|rouille|-|ruggine|roest*|ferrugem|rost*|rust*|rdzaw*|-
ochre mustard|ocker* senf*|ocre moutarde|ocre mostaza|ocra senape|oker* mosterd*|ocre mostarda|ockra senap*|okker* sennep*|ochr* musztard*|охр* горчич*
lavender lilac|lavendel*|lavande lilas|lavanda|lavanda lilla|lavendel|lavanda lilas|lavendel|lavendel|lawend*|лаванд*
coral salmon|koralle* lachs*|corail saumon|coral salmon|corallo salmone|koraal* zalm*|coral salmao|korall* lax*|koral* laks*|koralow*|коралл*
indigo|indigo|indigo|indigo|indaco|indigo|indigo|indigo|indigo|indygo|индиго
fuchsia magenta|fuchsia magenta|fuchsia magenta|fucsia magenta|fucsia magenta|fuchsia magenta|fucsia magenta|magenta|magenta|magenta fuksj*|фуксия
taupe tan camel|taupe camel|taupe camel|topo camel|tortora cammello|taupe camel|-|-|-|-|-
sand|sandfarb*|sable|arena|sabbia|zandkleur*|areia|sand|sand|piaskow*|песочн*
peach|pfirsich*|peche|melocoton|pesca|perzik*|pessego|persika|fersken*|brzoskw*|персик*
multicolor multicolored colorful|mehrfarbig* bunt*|multicolore*|multicolor|multicolor*|meerkleurig* veelkleurig*|multicolor*|flerfargad*|flerfarvet|wielokolorow*|разноцветн* 彩色
transparent|transparent* durchsichtig*|transparent*|transparente*|trasparent*|transparant* doorzichtig*|transparente*|genomskinlig*|gennemsigtig*|przezroczyst*|прозрачн* 透明
`;

export const materialLines = `
cotton|baumwoll*|coton|algodon|cotone|katoen*|algodao|bomull*|bomuld*|bawel*|хлоп* βαμβακ* 纯棉 純棉 棉 綿 コットン
linen flax|leinen* leinenstoff*|lin|lino|lino|linnen*|linho|linne*|hor horren|lnian* len|лен льнян* λιν* 亚麻 亞麻 麻
wool woolen woollen|wolle wollen wollstoff* schurwoll*|laine*|lana|lana|wol wollen|la|ull*|uld ulden|weln*|шерст* μαλλ* 羊毛 ウール
silk|seide seiden*|soie|seda|seta|zijde*|seda|siden|silke*|jedwab*|шелк* μεταξ* 丝绸 真丝 絹 シルク
cashmere|kaschmir*|cachemire|cachemira|cashmere|kasjmier|caxemira|kashmir|kashmir|kaszmir*|кашемир*
leather|leder* echtleder*|cuir|cuero piel|cuoio pelle|leer leren|couro|lader skinn|laeder|skorzan*|кожа кожан* δερμα* 真皮 皮革 レザー 本革
suede|wildleder* veloursleder*|daim|ante|camoscio|suede|camurca|mocka|ruskind|zamsz*|замш*
velvet|samt samtig*|velours|terciopelo|velluto|fluweel*|veludo|sammet*|flojl*|aksamit* welur*|бархат* велюр* 天鹅绒
denim|denim jeansstoff*|denim jean|denim vaquero|denim jeans|denim|denim ganga|denim|denim|dzins*|деним*
polyester|polyester*|polyester|poliester|poliestere|polyester|poliester|polyester|polyester|poliest*|полиэстер* πολυεστ* 涤纶 聚酯 ポリエステル
nylon polyamide|nylon polyamid*|nylon polyamide|nailon poliamida|nylon poliammide|nylon polyamide|nylon poliamida|nylon polyamid|nylon polyamid|nylon poliamid*|нейлон* 尼龙 ナイロン
acrylic|acryl*|acrylique*|acrilic*|acrilic*|acryl*|acrilic*|akryl*|akryl*|akryl*|акрил* 亚克力 アクリル
elastane spandex lycra|elastan|elasthanne|elastano|elastan|elastaan|elastano|elastan|elastan|elastan*|эластан*
viscose rayon|viskose|viscose|viscosa|viscosa|viscose|viscose|viskos|viskose|wiskoz*|вискоз*
fleece|fleece*|polaire|polar|pile|fleece|-|fleece|fleece|polarow*|флис*
microfiber microfibre|mikrofaser*|microfibre|microfibra|microfibra|microvezel|microfibra|mikrofiber|mikrofiber|mikrofibr*|микрофибр*
boucle|boucle*|boucle|boucle|boucle|boucle|boucle|boucle|boucle|boucle|букле
felt|filz*|feutre|fieltro|feltro|vilt*|feltro|filt|filt|filc*|войлок*
canvas|leinwand canvas|toile|lona lienzo|tela|canvas|lona|canvas kanvas|laerred|plotno|холст*
jute|jute*|jute|yute|iuta|jute|juta|jute|jute|jut*|джут*
hemp|hanf*|chanvre|canamo|canapa|hennep*|canhamo|hampa|hamp|konop*|конопл*
bamboo|bambus*|bambou|bambu|bambu|bamboe*|bambu|bambu|bambus*|bambus*|бамбук* μπαμπου 竹 竹纤维
cork|kork kork*|liege|corcho|sughero|kurk*|cortica|kork*|kork*|korek kork*|пробк* 软木
rattan wicker willow|rattan weide weiden*|rotin osier|ratan mimbre|rattan vimini|rotan riet*|vime rattan|rotting|rattan pil flet|rattan* wiklin*|ротанг* 藤
seagrass|seegras*|jonc|-|-|zeegras*|-|sjogras*|sogras*|-|-
oak >wood|eiche eichen* weisseiche wildeiche|chene|roble|rovere quercia|eik eiken*|carvalho|ek ekfaner|eg egetrae|dab debow*|дуб* 橡木 オーク
walnut >wood|nussbaum* walnuss*|noyer|nogal|noce|walnoot* notenhout*|nogueira|valnot|valnod*|orzech*|орех* 胡桃木 ウォールナット
beech >wood|buche buchen*|hetre|haya|faggio|beuken*|faia|bok bokfaner|bog bogetrae|buk bukow*|бук буков* 榉木
birch >wood|birke birken*|bouleau|abedul|betulla|berken*|betula|bjork*|birk birketrae|brzoz*|берез*
pine >wood|kiefer kiefern*|pin|pino|pino|grenen*|pinho|furu|fyr fyrretrae|sosn*|сосн* 松木
ash >wood|esche eschen*|frene|fresno|frassino|essen*|freixo|ask|ask asketrae|jesion*|ясен*
teak >wood|teak*|teck|teca|teak|teak*|teca|teak|teak|tekow*|тик 柚木
maple >wood|ahorn*|erable|arce|acero|esdoorn*|bordo|lonn|ahorn|klon*|клен*
acacia >wood|akazie* akazien*|acacia|acacia|acacia|acacia|acacia|akacia|akacie*|akacj*|акац*
ebony >wood|ebenholz*|ebene|ebano|ebano|ebben*|ebano|ebenholts|ibenholt|heban*|эбен*
mahogany >wood|mahagoni*|acajou|caoba|mogano|mahonie*|mogno|mahogny|mahogni|mahon*|махагон*
cedar >wood|zeder* zedern*|cedre|cedro|cedro|ceder*|cedro|ceder|ceder|cedr*|кедр*
spruce >wood|fichte* fichten*|epicea|picea|-|vuren*|-|gran|gran|swierk*|ель еловый
fir >wood|tannenholz|sapin|abeto|abete|sparren*|abeto|silvergran|aedelgran|jodl*|пихт*
plywood >wood|sperrholz* multiplex*|contreplaque|contrachapado|compensato multistrato|multiplex|contraplacado|plywood|krydsfiner|sklejk*|фанер*
mdf >wood|mdf|mdf|mdf|mdf|mdf|mdf|mdf|mdf|mdf|мдф
wood wooden timber|holz*|bois|madera|legno|hout houten*|madeira|tra traet|trae|drewn* drzew*|дерев* ξυλ* 实木 木制 木製
stainless >steel|edelstahl* rostfrei*|inox inoxydable|inoxidable|inox inossidabile|roestvrij* rvs|inox inoxidavel|rostfri*|rustfri*|nierdzew*|нержав* ανοξειδωτ* 不锈钢 不銹鋼 ステンレス
steel >metal|stahl*|acier|acero|acciaio|staal stalen|aco|stal|stal|stal stalow*|сталь стальн* 钢
iron >metal|eisen* gusseisen*|fer fonte|hierro|ferro ghisa|ijzer* gietijzer*|ferro|jarn gjutjarn|jern stobejern|zelaz* zeliw*|желез* чугун* 铸铁 鉄 鋳鉄
aluminum aluminium >metal|aluminium* alu|aluminium alu|aluminio|alluminio|aluminium|aluminio|aluminium|aluminium|alumini*|алюмин* 铝 アルミ
brass >metal|messing*|laiton|laton|ottone|messing*|latao|massing*|messing*|mosiadz* mosiezn*|латун* 黄铜 真鍮
titanium >metal|titan*|titane|titanio|titanio|titanium|titanio|titan|titan|tytan*|титан* 钛 チタン
zinc galvanized >metal|zink* verzinkt*|zinc galvanise*|zinc galvanizad*|zinco zincat*|zink verzinkt*|zinco galvanizad*|zink forzinka*|zink galvaniseret|cynk* ocynk*|цинк* оцинк*
chrome >metal|chrom*|chrome*|cromad* cromo|cromat*|chroom verchroomd|cromad*|krom*|krom*|chrom*|хром*
pewter >metal|zinn*|etain|peltre|peltro|-|estanho|tenn|-|cyn|олов*
nickel >metal|nickel* vernickel*|nickel|niquel|nichel|nikkel|niquel|nickel|nikkel|nikl*|никел*
metal metallic|metall*|metal*|metal metalic*|metall*|metaal metalen|metal metalic*|metall*|metal metallisk|metal* metalow*|металл* μεταλλ* 金属 金屬
stoneware >ceramic|steinzeug*|gres|gres|gres|steengoed|gres|stengods|stentoj|kamionk*|炻器
porcelain >ceramic|porzellan*|porcelaine|porcelana|porcellana|porselein*|porcelana|porslin*|porcelaen*|porcelan*|фарфор* πορσελαν* 陶瓷 瓷 磁器
earthenware terracotta clay >ceramic|terrakotta* irdenware ton|terracotta terre-cuite argile|terracota barro arcilla|terracotta argilla|terracotta aardewerk klei|terracota argila barro|terrakotta lergods lera|terracotta ler|terakot* glin*|терракот* глин* πηλ* 陶土
ceramic ceramics >ceramic|keramik* keramisch*|ceramique*|ceramica ceramico*|ceramica|keramiek keramische|ceramica|keramik*|keramik*|ceramicz*|керам* κεραμ* 陶瓷 陶器 セラミック
glass|glas glaser glases glasdeckel* glasflasche* glasschale*|verre|vidrio cristal|vetro|glas glazen|vidro|glas|glas|szkl*|стекл* γυαλ* 玻璃 ガラス
crystal|kristall*|cristal|cristal|cristallo|kristal*|cristal|kristall*|krystal*|krysztal*|хрустал* 水晶
marble >stone|marmor*|marbre|marmol|marmo|marmer*|marmore|marmor|marmor|marmur*|мрамор* 大理石
granite >stone|granit*|granit|granito|granito|graniet*|granito|granit|granit|granit*|гранит*
slate >stone|schiefer*|ardoise|pizarra|ardesia|leisteen*|ardosia|skiffer|skifer|lupek*|сланец
stone|stein aus-stein naturstein*|pierre|piedra|pietra|steen stenen natuursteen|pedra|sten natursten|sten natursten|kamien*|камень каменн*
concrete|beton*|beton|hormigon|cemento|beton*|betao|betong*|beton*|beton*|бетон* 混凝土
plastic|kunststoff* plastik*|plastique|plastico|plastica|kunststof* plastic|plastico|plast*|plastik plast*|plastik* tworzyw*|пластик* πλαστικ* 塑料 塑膠 プラスチック
silicone|silikon*|silicone|silicona|silicone|siliconen*|silicone|silikon*|silikone*|silikon*|силикон* 硅胶 シリコン
rubber|gummi* kautschuk*|caoutchouc|goma caucho|gomma|rubber*|borracha|gummi*|gummi*|gum* kauczuk*|резин* 橡胶 ゴム
latex|latex|latex|latex|lattice|latex|latex|latex|latex|lateks*|латекс*
nitrile|nitril*|nitrile|nitrilo|nitrile|nitril|nitrilo|nitril|nitril|nitryl*|нитрил*
vinyl pvc|vinyl pvc|vinyle pvc|vinilo pvc|vinile pvc|vinyl pvc|vinil pvc|vinyl pvc|vinyl pvc|winyl* pcw|винил* пвх
foam|schaumstoff*|mousse|espuma|schiuma|schuim*|espuma|skum*|skum*|piank*|поролон*
paper cardboard|papier* pappe karton*|papier carton|papel carton|carta cartone|papier* karton*|papel cartao|papper* kartong|papir* pap|papier* karton*|бумаг* картон* χαρτ* 纸 紙
wax beeswax|wachs* bienenwachs*|cire|cera|cera|bijenwas|cera|vax bivax|voks bivoks|wosk*|воск*
soy|soja*|soja|soja|soia|soja*|soja|soja|soja|soj*|соев* 大豆
resin|harz* kunstharz*|resine|resina|resina|hars*|resina|harts|harpiks|zywic*|смол* 树脂
pearl pearls mother-of-pearl|perle perlen* perlmutt*|perle* nacre|perla* nacar|perla perle madreperla|parel* paarlemoer|perola*|parla parlor*|perle perler|perl* perel*|жемчуг* 珍珠 真珠
diamond diamonds|diamant*|diamant*|diamante*|diamant*|diamant*|diamante*|diamant*|diamant*|diament* brylant*|бриллиант* 钻石
moonstone|mondstein*|-|-|-|maansteen|-|mansten|manesten|-|-
enamel|emaille* emailliert*|email emaille*|esmalte esmaltad*|smalto smaltat*|email* geemailleerd|esmalte esmaltad*|emalj*|emalje*|emali*|эмал* 搪瓷
carbon|carbon* kohlefaser*|carbone|carbono|carbonio|koolstof*|carbono|kolfiber|kulfiber|karbon*|карбон*
feather feathers|feder federn daunen*|plumes duvet|plumas|piume|veren dons|penas|fjader*|fjer dun|pior* puch*|перо пух*
coir|kokos kokosfaser*|coco|coco|cocco|kokos*|coco|kokos*|kokos*|kokos*|кокос*
fur|fell pelz*|fourrure|pelo|pelliccia|bont|pelo|pals|pels|futr*|мех меховой
gold >metal|gold*|or|oro|oro|goud*|ouro|guld*|guld*|zlot*|золот* 黄金
silver >metal|silber*|argent|plata|argento|zilver*|prata|silver*|solv*|srebr*|серебр* 纯银 銀
copper >metal|kupfer*|cuivre|cobre|rame|koper*|cobre|koppar*|kobber*|miedz*|медь
polycarbonate|polycarbonat*|polycarbonate|policarbonato|policarbonato|polycarbonaat|policarbonato|polykarbonat|polycarbonat|poliweglan*|поликарбонат* 聚碳酸酯
polypropylene|polypropylen*|polypropylene|polipropileno|polipropilene|polypropyleen|polipropileno|polypropen*|polypropylen|polipropylen*|полипропилен* 聚丙烯
polyethylene|polyethylen*|polyethylene|polietileno|polietilene|polyetheen polyethyleen|polietileno|polyeten*|polyethylen|polietylen*|полиэтилен*
neoprene|neopren*|neoprene|neopreno|neoprene|neopreen|neopreno|neopren|neopren|neopren*|неопрен*
tarpaulin|lkwplane*|bache|-|telone|zeildoek|-|presenning|presenning|plandek*|брезент*
satin|satin*|satin|saten|satin|satijn*|cetim|satin|satin|satyn*|атлас сатин* 缎
corduroy|cord cordstoff*|-|pana|-|ribfluweel corduroy|bombazine|manchester|flojlsstof|sztruks*|вельвет*
tulle|tull|tulle|tul|tulle|tule|tule|tyll|tyl|tiul*|тюль
chiffon|chiffon*|chiffon|gasa|chiffon|chiffon|chiffon|chiffong|chiffon|szyfon*|шифон*
flannel|flanell*|flanelle|franela|flanella|flanel*|flanela|flanell|flonel|flanel*|фланел*
alpaca|alpaka*|alpaga|alpaca|alpaca|alpaca|alpaca|alpacka|alpaka|alpak*|альпак*
mohair|mohair*|mohair|mohair|mohair|mohair|mohair|mohair|mohair|moher*|мохер*
angora|angora*|angora|angora|angora|angora|angora|angora|angora|angor*|ангор*
hickory >wood|hickory*|hickory|hickory|hickory|hickory|hickory|hickory*|hickory|hikor*|-
abs|-|-|-|-|-|-|-|-|-|abs
tpu|-|-|-|-|-|-|-|-|-|tpu
petg|-|-|-|-|-|-|-|-|-|petg
lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel modal|lyocell tencel|лиоцелл тенсел
kevlar aramid|kevlar aramid*|kevlar aramide|kevlar aramida|kevlar aramide|kevlar aramide|kevlar aramida|kevlar aramid|kevlar aramid|kevlar aramid*|кевлар*
sheepskin shearling|lammfell* schaffell*|-|borrego|montone|schapenvacht lamsvacht|-|farskinn|lammeskind|-|овчин*
olivewood >wood|olivenholz*|olivier|-|ulivo|olijfhout*|oliveira|olivtra|oliventrae|-|-
mangowood >wood|mangoholz*|manguier|-|-|mangohout*|-|mangotra|mangotrae|-|-
poplar >wood|pappel*|peuplier|alamo|pioppo|populieren*|choupo|poppel|poppel|topol*|тополь
rosewood palisander >wood|palisander*|palissandre|palisandro|palissandro|palissander|-|palisander|palisander|palisand*|палисандр*
fiberglass|glasfaser* fiberglas*|fibre-de-verre|-|vetroresina|glasvezel*|-|glasfiber|glasfiber|-|стекловолокн*
`;

export const sizeLines = `
large oversized|gross grosse grosser grosses grossen|grand grande grands grandes|grande grandes|grande grandi|groot grote|grande grandes|stor stora stort|stor store stort|duz*|больш* μεγαλ* 大号 大號
small|klein kleine kleiner kleines kleinen|petit petite petits petites|pequen*|piccol*|klein kleine|pequen*|liten lilla litet sma|lille sma|mal mala male maly|маленьк* μικρ* 小号 小號
medium|mittelgross* mittlere*|moyen moyenne|mediano mediana|medio media|middelgroot middelgrote|medio media|mellanstor*|mellemstor*|sredni*|средн* 中号 中號
extra-large jumbo giant|riesig* jumbo|geant geante|gigante|gigante|gigantisch*|gigante|jatte*|kaempe*|olbrzym*|огромн*
mini|mini|mini|mini|mini|mini|mini|mini|mini|mini|мини 迷你
king|king|king|king|king|king|king|king|king|king|-
queen|queen|queen|queen|queen|queen|queen|queen|queen|queen|-
`;

export const multiplierLines = `
double twin dual|doppel* doppelt* zweifach*|double|doble|doppio doppia|dubbel*|duplo dupla|dubbel*|dobbelt*|podwojn*|двойн* 双层
triple tri|dreifach*|triple|triple|triplo tripla|driedubbel* drievoudig*|triplo tripla|trippel*|trippel*|potrojn*|тройн*
`;
