/**
 * Claims that only the row may make: a line per claim with the beginnings of its folded words and phrases in all
 * languages. '$' ends a whole word.
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
recycl, recicla, ricicla, gerecycleerd, atervunn, genbrug
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
heal$, heals$, healing$, heilt$, heilend, cures$, cure$
relief, relieve, relieving, lindert, soulage, alivia
soothing, soothes, beruhig, apais
eczema, psoriasis, acne, akne, wrinkle, anti-aging, anti-ageing, inflam, blood pressure, cholesterol, immun, detox, weight loss
healthy, health$, gesund, sante$, saludable, gezond, halsosam, sundhed, zdrow
toxic, non-toxic, nontoxic, ungiftig, giftfrei, schadstoff, toxique
safe$, safely$, safety$, child-safe, childproof, kindersicher, sicherheit, securite, seguridad, sicurezza, veilig
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
handmade, hand-made, hand made, handcraft, hand-craft, handgemacht, handgefertigt, fait main, hecho a mano, hecha a mano, fatto a mano, fatta a mano, artisan, artesan, artigian, handwerk, handgjord, handlavet, recznie, 手工, 手作
prevent, reduces$, stops$, boosts, eliminat, fights$, hair loss, verhindert, reduziert, vermindert, previen, evita$, previene, empeche, voorkomt
regenerat, rejuvenat, restores
natural, naturlich, naturel, naturlig, naturaln, натуральн
free shipping, free delivery, kostenloser versand, versandkostenfrei, livraison, envio gratis, spedizione, gratis verzending, fri frakt, gratis fragt, darmowa wysylka, 包邮, 送料無料
in stock, same-day, same day, next-day, next day, sofort lieferbar
made in$, hergestellt in$, fabrique en$, hecho en$, hecha en$, fatto in$, gemaakt in$, feito em$, tillverkad i$, wyprodukowan
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
  vileda vitra villeroy volkswagen wmf wusthof wurth xiaomi yamaha zara 华为 小米 苏泊尔 美的 海尔 索尼 三星 苹果 耐克
  无印良品 ソニー パナソニック 任天堂 無印良品 бош самсунг сони`;
