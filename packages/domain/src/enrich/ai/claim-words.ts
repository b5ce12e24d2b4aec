/**
 * Claims that only the row may make: a line per claim with the beginnings of its folded words and phrases in all
 * languages. '$' ends a whole word; '~' begins a spelling that only counts in a row, because others use the word too.
 */
export const claimLines = `
certif, zertifi, gecertific, sertifi, certyfi, сертифи, πιστοποι, 认证, 認証
tested$, getestet, gepruft, probado, testad, testat$, testet$, przetestowan, tuv$, 检测
proven$, erwiesen, prouve$, comprobad, bewezen, udowodnion
approved$, zugelassen, approuve$, aprobad, approvat, goedgekeurd, godkand, godkendt, zatwierdzon
fda$
gots$
oeko-tex, oeko tex, oko-tex, oko tex, standard 100
fsc$
mfi$
gmp$
organic, bio$, biobaumwoll, biolog, biologi, okologi, ekolog, ecologic, organico, organica, organik, orgánic, органич, 有机, 有機, オーガニック
eco-friendly, eco friendly, ecofriendly, environment, umweltfreund, umweltschon, ecorespons, respetuos, milieuvriendelijk, miljovan, miljovenlig, przyjazn, экологич, 环保
sustainab, nachhaltig, sostenib, duurzaam, hallbar, baeredygtig, zrownowaz, sustentav
biodegrad, abbaubar, biologisch afbreekbaar, nedbryt, nedbryde
compostab, kompostier, composteerbaar
recycl, recicla, ricicla, gerecycle, atervunn, genbrug
climate, klimaneutral, carbon neutral, carbon-neutral, co2
vegan, vegetarian, vegetari
cruelty, tierversuch
gluten
lactose, laktos
grain-free, grain free, getreidefrei, sans cereales
sugar-free, sugar free, zuckerfrei
bpa$
lead-free, lead free, bleifrei
paraben
sulfat, sulphat
fair trade, fairtrade, fair gehandelt, commerce equitable, comercio justo
waterproof, water-proof, wasserdicht, wasserfest, impermeab, etanche, waterdicht, vattentat, vandtaet, wodoodporn, wodoszczeln, водонепрониц, αδιαβροχ, 防水
water-resistant, water resistant, water-repellent, water repellent, wasserabweis, deperlant, spritzwasser
weatherproof, wetterfest
windproof, winddicht, coupe-vent
frost proof, frostproof, frost resist, frost free, frostsicher, frostfest, winterhart
stain resist, stain proof, stainproof, stain free, stain repel, fleckenabweis
shatter resist, shatterproof, shatter proof, unbreakable, unzerbrechlich, bruchsicher, incassable, irrompible, infrangibile
scratch, kratzfest
fireproof, flame-retardant, flame retardant, flameproof, feuerfest
dishwasher, spulmaschin, lave-vaisselle, lavavajillas, lavastoviglie, vaatwasser, diskmaskin, opvaskemaskin, zmywar, 洗碗机, 食洗機
microwave, mikrowell, micro-ondes, microond, magnetron, mikrovag, mikroovn, mikrofal, 微波
washable, washing machine, waschbar, waschmaschine, lavable, lavabile, tvattbar, vaskbar
easy to clean, easy-care, pflegeleicht
non-slip, nonslip, anti-slip, antislip, rutschfest, antiderap
antibact, anti-bact, antimicrob, antimikrob, antibakter
sterile, steril$, sterili, 无菌
hypoallergen, hipoalergen, ipoallergen, allerg, 低敏
dermatolog, ophthalm
clinical, klinisch, cliniq, clinic, kliniczn
medical, medizin, therap, doctor$, doctors$, arztlich, tierarzt, vet$, vets$, veterin
heal$, heals$, healing$, heilt$, heilend, cures$, cure$, guerit, geneest, botar$, helbreder, leczy$, leczni, лечит, лечеб, 治疗, 治癒
relief, relieve, relieving, lindert, soulage, alivia, allevia, verlicht pijn, lindrar, lindrer, lagodzi, облегча, 缓解
back pain, joint pain, muscle pain, neck pain, headache, pain free, pain-free, the pain$, your pain$, ~pain$, schmerz, douleur, dolor$, dolores$, dolore$, pijn$, smartlindr, smerter, bolu$, боль$, боли$, 疼痛, 痛み
soothing, soothes, beruhig, apais
eczema, psoriasis, acne, akne, wrinkle, anti-aging, anti-ageing, inflam, blood pressure, cholesterol, immun, inmun, иммун, odporno, 免疫, detox, weight loss
healthy, health$, gesund, sante$, saludable, gezond, halsosam, sundhed, zdrow
toxic, non-toxic, nontoxic, ungiftig, giftfri, giftvrij, schadstoff, toxique
safe$, safely$, safety$, child-safe, childproof, kindersicher, sicherheit, sicherst, securite, seguridad, sicurezza, veilig, sakerhet, sikkerhed, bezpiecz, безопас, 安全
guarant, guaranty, garantie, garanti$, garantia, garanzia, garanterad, gwarancj, gewahrleist, гаранти, 保证, 保修, 保証
warrant
lifetime, lebenslang, a vie$, de por vida
money-back, money back, refund, ruckgabe, rembours, reembols
best$, beste$, bester$, bestes$, besten$, meilleur, mejor, miglior, melhor, basta$, bedste$, najleps, лучш, 最好, 最高
#1, # 1, number one, no. 1$, no 1$, nr. 1$, nummer eins, numero uno, 第一
top-rated, top rated, bestsell, best-sell, best sell, meistverkauft
award, preisgekront, medal, prize$, prizes$, testsieger, prime$, premiad, premiat
world's, world-class, unmatched, unbeatable, superior$, unrivalled, unvergleichlich, unschlagbar
lowest price, lowest-price
brand-new, brand new, fabrikneu
authentic, genuine$, authentisch, autentic
official, licensed, offiziell, lizenziert, officiel, oficial, ufficial
patent
limited edition, limitiert, exclusive$, exklusiv
handmade, hand-made, hand made, handcraft, hand-craft, handgemacht, handgefertigt, fait main, hecho a mano, hecha a mano, fatto a mano, fatta a mano, artisan, artesan, artigian, handwerk, handgjord, handlavet, hand carved, hand forged, hand sewn, hand woven, handgeschmiedet, handgeschnitzt, handgewebt, handsmid, handsydd, handvavd, handsmedet, cousu main, recznie, 手工, 手作
prevent, reduces$, stops$, boosts, elimin, fights$, hair loss, verhindert, reduziert, vermindert, previen, evita$, previene, empeche, voorkomt, forebygg, zapobieg, предотвращ, 预防, 預防, 予防
eyesight$, your eyes$, the eyes$, die augen$, les yeux$, los ojos$, gli occhi$, de ogen$, глаза$, 眼睛, 视力
uv protection, uv schutz, uv-schutz, uv light, sun protection, sonnenschutz
strengthens$, renforce$, fortalece, rafforza, versterkt, wzmacnia, укрепля, 增强
regenerat, rejuvenat, restores, repairs$, repariert$, repare$, repara$, ripara$, 修复, 修復
rich in$, high in$, reich an$, riche en$, riches en$, ricco di$, ricca di$, rico en$, rica en$, ricos en$, ricas en$, rico em$, rica em$, rijk aan$, rik pa$, rig pa$, bogat
antioxid, antiox, metabol, метабол, 抗氧化
ergonom, эргоном, 人体工学
orthop, ortop
food safe, food-safe, food grade, food-grade, lebensmittelecht, lebensmittelsicher, alimentaire, 食品级, 食品用
natural, naturlich, naturel, naturlig, naturaln, натуральн
free shipping, free delivery, kostenloser versand, versandkostenfrei, livraison, envio gratis, spedizione, gratis verzending, fri frakt, gratis fragt, darmowa wysylka, 包邮, 送料無料
in stock, same-day, same day, next-day, next day, sofort lieferbar
made in$, hergestellt in$, wyprodukowan
pregnan, schwanger, enceinte, embaraz, gravid, incinta, zwanger, ciaz, беремен, 孕妇, 妊娠
babies$, baby$, newborn, infant$, infants$, toddler, babys$, neugeboren, sauglin, bebe$, bebes$, nourrisson, neonat, zuigeling, spadbarn, niemowl, младен, 婴儿, 赤ちゃん
women$, womens$, woman$, ladies$, damen, frauen, femme, mujer, donna$, donne$, dames$, vrouw, mulher, senhora, dam$, dame$, kvinn, kvind, damsk, kobiet, женск, женщин, γυναικ, 女士, 女性, レディース
for men$, men s$, ~men$, ~mens$, gentlemen, herren, fur manner$, ~manner$, hommes$, homme$, hombre, uomo$, uomini$, heren$, mannen$, homem, homens, herr$, herre$, mesk, mezczyzn, мужск, мужчин, ανδρ, 男士, 男性, メンズ
bluetooth, wifi$, wi-fi
rechargeable, wiederauflad, aufladbar
`;

/** Countries and their people, by the beginnings of their names: one line for each country. */
export const originLines = `
america, usa$, u.s.$, united states, amerikan, etats-unis, estadounid, сша
german, deutsch, alleman, alemania, aleman, german, tedesc, duits, tysk, niemiec, немец, герман, 德国, ドイツ
ital, wlosk, wloch, итал, 意大利, イタリア
french, france$, frankreich, franzos, francais, francia$, frances, frans$, franse$, fransk, francj, francusk, франц, 法国, フランス
spain$, spanish, spanisch, spanien, spagn, espagn, espan, hiszpan, испан, 西班牙
portug, португал
swiss, switzerland, schweiz, suisse, suiz, svizzer, zwitser, szwajcar, швейцар, 瑞士
austria, osterreich, autrich
british, britain, england, english$, britisch, anglais, ingles, brytyj, английск, 英国
scotland, scottish, schottisch
ireland, irish$, irisch
dutch, netherlands, niederland, holland, hollandisch
belg, бельг
danish, denmark, danisch, danemark, danois, dunsk, dansk, danmark
swed, schwed, suedois, suec, svensk, sverige, szwec, швед
norw, norveg, norsk
finnish, finland, finnisch
poland, polish made, polnisch, polsk, polonais
czech, tschech
turkish, turkey$, turkei, turc$, turco, турец, 土耳其
greek, greece, griech, grec$, ελλην, греч
egypt, agypt, egipt
morocc, marokk, maroc, marruec
india$, indian$, indisch, 印度
china$, chinese, chines, chinois, китай, 中国
japan, giappon, japon, япон, 日本
korea, coree, корей, 韩国
taiwan, 台湾, 台灣
vietnam, вьетнам
thai$, thailand, 泰国
brazil, brasil
mexic, mejic
colombia, kolumb
peru$, peruvian
australia, austral
canada$, canadian, kanad
russia, russisch, russe$, росси, русск
europe, europa, eu-made, европ
scandinav, skandinav, nordic
`;

/** Makers that a text may name in lower case, in another script or in a language that capitalizes all nouns. */
export const makers = `adidas aeg amazon apple arcteryx asus barbie bauknecht birkenstock bmw bodum
  bosch brabantia braun brembo casio chanel cisco coca-cola colgate dell dewalt dior disney dr-oetker dyson
  electrolux eva-solo ferm-living festool ford fujifilm garmin gopro gucci hasbro henkel hermes hilti
  honda hp huawei hugo-boss husqvarna iittala ikea intel jbl jack-wolfskin karcher kitchenaid knoll le-creuset lego lenovo
  levi's lg lindt logitech loreal makita marimekko mattel mercedes microsoft miele montblanc muuto nespresso nestle
  nikon nikea nike nintendo nivea nokia noguchi osram panasonic pandora patagonia philips playmobil porsche prada puma
  pyrex ravensburger razer rayban ray-ban rolex rosenthal royal-canin royal-copenhagen salomon samsung schleich sennheiser
  shimano siemens sigg sony stanley swarovski tchibo tefal thermos timberland tommy-hilfiger toyota tupperware under-armour
  vileda vitra villeroy volkswagen wmf wusthof wurth xiaomi yamaha zara
  petzl bialetti rimowa samsonite tumi eastpak deichmann delonghi krups rowenta moulinex smeg zwilling fissler emsa leifheit
  gardena fiskars gedore knipex wera bahco milwaukee ryobi metabo einhell stihl mammut deuter osprey ortlieb salewa
  fjallraven haglofs helly-hansen berghaus asics reebok skechers mizuno babolat yonex callaway titleist sram campagnolo
  bontrager michelin pirelli goodyear bridgestone hankook castrol liqui-moly valeo febi audi opel skoda peugeot citroen
  renault ferrari lamborghini volvo saab hyundai mazda suzuki kawasaki ducati harley-davidson vespa nvidia toshiba hitachi
  bose sonos marantz akg shure beyerdynamic audio-technica jabra plantronics corsair steelseries hyperx kingston sandisk
  seagate western-digital tp-link netgear d-link ubiquiti zyxel fitbit suunto tissot seiko swatch breitling cartier bulgari
  louis-vuitton versace armani burberry calvin-klein ralph-lauren lacoste benetton uniqlo primark wrangler carhartt
  north-face maybelline lancome clinique estee-lauder shiseido garnier rimmel catrice weleda eucerin la-roche-posay avene
  bioderma cerave neutrogena pantene gillette oral-b sonicare waterpik omron beurer withings pampers huggies chicco
  maxi-cosi cybex bugaboo stokke britax graco fisher-price hape brio haba bruder hot-wheels funko asmodee fluval eheim purina
  whiskas orijen acana ruffwear haribo milka toblerone ferrero nutella barilla de-cecco buitoni lipton twinings teekanne
  lavazza dallmayr segafredo nescafe dolce-gusto heinz maggi knorr unilever kellogg kelloggs oreo pringles cadbury
  ghirardelli godiva hersheys kartell artemide cassina wedgwood meissen steinway fender ibanez epiphone d'addario zildjian
  epson lexmark kyocera ricoh faber-castell staedtler pelikan moleskine leuchtturm1917 stabilo tesa dremel zojirushi
  instant-pot vitamix cuisinart hydro-flask nalgene camelbak contigo kneipp sebamed
  华为 小米 苏泊尔 美的 海尔 索尼 三星 苹果 耐克
  无印良品 ソニー パナソニック 任天堂 無印良品 бош самсунг сони`;
