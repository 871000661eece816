/**
 * Given and family names of sixteen countries: common names in the country's spelling, combined into invented people.
 * An entry is `Latin` or `Latin=native script`; `Masculine/Feminine` where a family name has two forms.
 */
export interface NameRow {
  readonly male: string;
  readonly female: string;
  readonly family: string;
  /** Number of family names; default 1. */
  readonly familyNames?: 2;
  /** Separator between family name and given name in native script where the family name comes first; absent where it comes last. */
  readonly familyFirst?: '' | ' ';
}

export const nameRows = {
  AR: {
    male: `Mateo, Benjamín, Bautista, Felipe, Joaquín, Thiago, Lautaro, Santino, Tomás, Facundo, Agustín, Franco, Ignacio, Nicolás, Juan Cruz,
      Ramiro, Gonzalo, Ezequiel, Maximiliano, Julián, Emiliano, Matías, Lisandro, Nahuel`,
    female: `Martina, Catalina, Delfina, Isabella, Emma, Olivia, Sofía, Julieta, Valentina, Milagros, Agustina, Florencia, Camila, Rocío,
      Candela, Guadalupe, Abril, Malena, Jazmín, Antonella, Micaela, Luján, Victoria, Pilar`,
    family: `González, Rodríguez, Gómez, Fernández, López, Díaz, Martínez, Pérez, Romero, Sánchez, Álvarez, Benítez, Acosta, Medina, Herrera,
      Aguirre, Pereyra, Gutiérrez, Giménez, Ledesma, Ríos, Peralta, Quiroga, Bianchi, Villalba, Ibáñez`,
  },
  BR: {
    male: `Gabriel, João Pedro, Lucas, Matheus, Rafael, Felipe, Gustavo, Guilherme, Bruno, Thiago, Vinícius, Caio, Otávio, Leandro, Murilo,
      Renan, Igor, Davi, Enzo, Antônio, Luís Otávio, Wesley, Everton, Márcio`,
    female: `Ana Clara, Beatriz, Larissa, Letícia, Júlia, Mariana, Fernanda, Camila, Gabriela, Luíza, Isabela, Rafaela, Bruna, Vitória, Heloísa,
      Lívia, Natália, Tainá, Débora, Yasmin, Cecília, Raquel, Thaís, Jéssica`,
    family: `Silva, Santos, Oliveira, Souza, Lima, Pereira, Ferreira, Costa, Rodrigues, Almeida, Nascimento, Araújo, Ribeiro, Gonçalves, Barbosa,
      Carvalho, Cardoso, Moreira, Teixeira, Conceição, Monteiro, Assunção, Magalhães, Brandão, Guimarães, Falcão`,
  },
  DE: {
    male: `Lukas, Jonas, Finn, Leon, Paul, Felix, Maximilian, Elias, Moritz, Jannik, Niklas, Jörg, Björn, Tobias, Fabian, Florian, Sebastian,
      Till, Ole, Lennart, Emre, Jürgen, Matthias, Kilian`,
    female: `Mia, Emma, Hannah, Lena, Lea, Marie, Sophie, Johanna, Greta, Frieda, Charlotte, Clara, Jule, Antonia, Merle, Pauline, Svenja,
      Katharina, Elif, Theresa, Franziska, Käthe, Annika, Zoë`,
    family: `Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, Bauer, Richter, Klein, Wolf,
      Schröder, Neumann, Schwarz, Krüger, Böhm, Jäger, Yılmaz, Großmann, Köhler, Strauß`,
  },
  ES: {
    familyNames: 2,
    male: `Hugo, Martín, Lucas, Daniel, Pablo, Alejandro, Adrián, Álvaro, Iker, Íñigo, Rubén, Sergio, Raúl, Óscar, Marc, Iván, Jesús, Unai,
      Gonzalo, Víctor, Jordi, Ángel, Andrés, Aitor`,
    female: `Lucía, Sofía, Martina, María, Paula, Julia, Alba, Carla, Noa, Claudia, Irene, Nerea, Ainhoa, Laia, Aitana, Elena, Begoña, Rocío,
      Inés, Candela, Núria, Leire, Marta, Ángela`,
    family: `García, Rodríguez, González, Fernández, López, Martínez, Sánchez, Pérez, Gómez, Martín, Jiménez, Ruiz, Hernández, Díaz, Moreno,
      Muñoz, Álvarez, Gutiérrez, Ibáñez, Núñez, Etxeberria, Puig, Castaño, Iglesias, Márquez, Vázquez`,
  },
  FR: {
    male: `Lucas, Hugo, Louis, Gabriel, Raphaël, Jules, Adam, Arthur, Noé, Théo, Maël, Mathis, Clément, Rémi, Loïc, Étienne, François, Baptiste,
      Anaël, Yanis, Moussa, Jérémy, Cédric, Benoît`,
    female: `Emma, Jade, Louise, Alice, Chloé, Léa, Manon, Inès, Camille, Zoé, Anaïs, Élise, Maëlys, Noémie, Clémence, Océane, Aïcha, Margaux,
      Héloïse, Juliette, Fatou, Solène, Agathe, Béatrice`,
    family: `Martin, Bernard, Dubois, Thomas, Robert, Petit, Durand, Leroy, Moreau, Lefèvre, Garnier, Faure, Rousseau, Guérin, Lemaître, Bélanger,
      Diallo, Traoré, Mercier, Gauthier, Benoît, Le Gall, Fabre, Hervé, Chevalier, Delacroix`,
  },
  GB: {
    male: `Oliver, George, Harry, Jack, Noah, Charlie, Alfie, Oscar, Thomas, James, William, Freddie, Archie, Callum, Rhys, Owen, Ewan, Finlay,
      Mohammed, Joshua, Connor, Declan, Elliot, Kieran`,
    female: `Olivia, Amelia, Isla, Ava, Emily, Grace, Freya, Poppy, Ella, Evie, Charlotte, Sophie, Siân, Cerys, Eilidh, Niamh, Phoebe, Imogen,
      Aisha, Holly, Georgia, Zara, Bethan, Jessica`,
    family: `Smith, Jones, Taylor, Brown, Williams, Wilson, Johnson, Davies, Robinson, Wright, Thompson, Evans, Walker, White, Hughes, Campbell,
      MacDonald, O'Neill, Patel, Khan, Ashworth, Fairclough, Llewellyn, Okafor, Barker, Whitfield`,
  },
  GR: {
    male: `Giorgos=Γιώργος, Dimitris=Δημήτρης, Konstantinos=Κωνσταντίνος, Giannis=Γιάννης, Nikos=Νίκος, Vasilis=Βασίλης, Christos=Χρήστος,
      Panagiotis=Παναγιώτης, Thanasis=Θανάσης, Michalis=Μιχάλης, Spyros=Σπύρος, Stavros=Σταύρος, Alexandros=Αλέξανδρος, Petros=Πέτρος,
      Lefteris=Λευτέρης, Angelos=Άγγελος, Stelios=Στέλιος, Manolis=Μανώλης, Thodoris=Θοδωρής, Ilias=Ηλίας`,
    female: `Maria=Μαρία, Eleni=Ελένη, Katerina=Κατερίνα, Vasiliki=Βασιλική, Sofia=Σοφία, Angeliki=Αγγελική, Georgia=Γεωργία, Dimitra=Δήμητρα,
      Ioanna=Ιωάννα, Anna=Άννα, Anastasia=Αναστασία, Eirini=Ειρήνη, Despoina=Δέσποινα, Foteini=Φωτεινή, Christina=Χριστίνα, Zoi=Ζωή,
      Nefeli=Νεφέλη, Danai=Δανάη, Artemis=Άρτεμις, Chrysa=Χρύσα`,
    family: `Papadopoulos/Papadopoulou=Παπαδόπουλος/Παπαδοπούλου, Pappas/Pappa=Παππάς/Παππά, Georgiou=Γεωργίου, Nikolaou=Νικολάου,
      Dimitriou=Δημητρίου, Ioannidis/Ioannidou=Ιωαννίδης/Ιωαννίδου, Oikonomou=Οικονόμου, Vlachos/Vlachou=Βλάχος/Βλάχου,
      Karagiannis/Karagianni=Καραγιάννης/Καραγιάννη, Makris/Makri=Μακρής/Μακρή, Antoniou=Αντωνίου, Alexiou=Αλεξίου,
      Konstantinidis/Konstantinidou=Κωνσταντινίδης/Κωνσταντινίδου, Markou=Μάρκου, Stavrou=Σταύρου, Michailidis/Michailidou=Μιχαηλίδης/Μιχαηλίδου,
      Athanasiou=Αθανασίου, Vasileiou=Βασιλείου, Galanis/Galani=Γαλάνης/Γαλάνη, Zervas/Zerva=Ζέρβας/Ζέρβα`,
  },
  IT: {
    male: `Leonardo, Francesco, Alessandro, Lorenzo, Mattia, Andrea, Gabriele, Riccardo, Tommaso, Edoardo, Niccolò, Matteo, Federico, Giuseppe,
      Pietro, Simone, Davide, Giacomo, Luca, Filippo, Samuele, Emanuele, Nicolò, Elia`,
    female: `Giulia, Aurora, Sofia, Ginevra, Beatrice, Alice, Vittoria, Emma, Martina, Chiara, Ludovica, Greta, Matilde, Anna, Francesca, Elisa,
      Camilla, Arianna, Noemi, Giorgia, Benedetta, Caterina, Elena, Ilaria`,
    family: `Rossi, Russo, Ferrari, Esposito, Bianchi, Romano, Colombo, Ricci, Marino, Greco, Bruno, Gallo, Conti, De Luca, Mancini, Costa,
      Giordano, Rizzo, Lombardi, Moretti, Barbieri, Fontana, D'Angelo, Nicolò, Dell'Orto, Santoro`,
  },
  JP: {
    familyFirst: ' ',
    male: `Haruto=陽翔, Yūto=悠斗, Sōta=颯太, Ren=蓮, Minato=湊, Yamato=大和, Hiroto=大翔, Riku=陸, Kaito=海斗, Takumi=匠, Kenta=健太, Daiki=大輝,
      Shōta=翔太, Ryō=涼, Tsubasa=翼, Naoki=直樹, Kazuki=和樹, Yūki=勇気, Itsuki=樹, Akira=明, Hayato=隼人, Kōki=光希`,
    female: `Himari=陽葵, Hina=陽菜, Yui=結衣, Aoi=葵, Sakura=さくら, Rin=凛, Mio=澪, Yuna=結菜, Misaki=美咲, Haruka=遥, Nanami=七海, Ayaka=彩花,
      Honoka=穂乃香, Mei=芽衣, Kokona=心菜, Akari=明里, Sara=咲良, Riko=莉子, Miyu=美優, Kaede=楓, Chihiro=千尋, Natsumi=夏美`,
    family: `Satō=佐藤, Suzuki=鈴木, Takahashi=高橋, Tanaka=田中, Itō=伊藤, Watanabe=渡辺, Yamamoto=山本, Nakamura=中村, Kobayashi=小林, Katō=加藤,
      Yoshida=吉田, Yamada=山田, Sasaki=佐々木, Yamaguchi=山口, Matsumoto=松本, Inoue=井上, Kimura=木村, Hayashi=林, Shimizu=清水, Saitō=斎藤,
      Mori=森, Abe=阿部, Ikeda=池田, Hashimoto=橋本, Ishikawa=石川`,
  },
  KE: {
    male: `Brian, Kevin, Dennis, Collins, Emmanuel, Victor, Kelvin, Geoffrey, Wilson, Elijah, Amos, Hillary, Benson, Kipchumba, Kiprono, Kiplagat,
      Ochieng, Otieno, Kamau, Mwangi, Juma, Evans`,
    female: `Faith, Mercy, Joyce, Sharon, Beatrice, Grace, Vivian, Gladys, Esther, Purity, Brigid, Hellen, Janeth, Winfred, Cherono, Chepkoech,
      Jepkosgei, Achieng, Akinyi, Wanjiru, Njeri, Nancy`,
    family: `Kiptoo, Kipkemboi, Cheruiyot, Rotich, Koech, Kosgei, Korir, Kiplimo, Chebet, Langat, Mutai, Sang, Biwott, Odhiambo, Owino, Okoth,
      Njoroge, Kariuki, Maina, Mutua, Musyoka, Wafula, Barasa, Omondi`,
  },
  KR: {
    familyFirst: '',
    male: `Min-jun=민준, Seo-jun=서준, Do-yun=도윤, Ye-jun=예준, Si-woo=시우, Ha-jun=하준, Ji-ho=지호, Ju-won=주원, Ji-hoon=지훈, Jun-seo=준서,
      Hyun-woo=현우, Woo-jin=우진, Geon-woo=건우, Seung-min=승민, Tae-yang=태양, Dong-hyun=동현, Sung-jin=성진, Jae-won=재원, Young-ho=영호,
      Kyung-soo=경수`,
    female: `Seo-yeon=서연, Seo-yun=서윤, Ji-woo=지우, Ha-yun=하윤, Min-seo=민서, Ji-yu=지유, Chae-won=채원, Su-bin=수빈, Ji-min=지민, Ye-eun=예은,
      Da-eun=다은, So-yeon=소연, Yu-na=유나, Eun-ji=은지, Hye-jin=혜진, Mi-rae=미래, Na-yeon=나연, Bo-ra=보라, Ye-rin=예린, Ga-eun=가은`,
    family: `Kim=김, Lee=이, Park=박, Choi=최, Jung=정, Kang=강, Cho=조, Yoon=윤, Jang=장, Lim=임, Han=한, Oh=오, Seo=서, Shin=신, Kwon=권, Hwang=황,
      Ahn=안, Song=송, Ryu=류, Hong=홍, Moon=문, Bae=배`,
  },
  NG: {
    male: `Chinedu, Emeka, Obinna, Ifeanyi, Kelechi, Chukwudi, Tunde, Babajide, Olúwaseun, Adébáyọ̀, Kúnlé, Sikiru, Musa, Ibrahim, Yusuf, Sani, Abubakar,
      Samuel, Daniel, Godwin, Victor, Sunday, Efe, Osas`,
    female: `Chioma, Ngozi, Adaeze, Ifeoma, Amarachi, Nneka, Fọlákẹ́, Títílayọ̀, Olúwatóbi, Bukola, Yetunde, Aisha, Fatima, Halima, Zainab, Hauwa,
      Blessing, Mercy, Favour, Patience, Esther, Ese, Rita, Joy`,
    family: `Okafor, Okonkwo, Eze, Nwosu, Obi, Nwachukwu, Onyekachi, Adeyemi, Adébáyọ̀, Ogunleye, Balógun, Afọlábí, Bello, Abubakar, Suleiman,
      Ibrahim, Danjuma, Lawal, Ojo, Akpan, Effiong, Osagie, Ighodaro, Etim`,
  },
  NL: {
    male: `Daan, Sem, Lucas, Levi, Finn, Bram, Luuk, Thijs, Jesse, Lars, Ruben, Sven, Joost, Maarten, Teun, Stijn, Pieter, Koen, Jurriën, Mees,
      Rayan, Daniël, Floris, Wouter`,
    female: `Emma, Julia, Tess, Sophie, Zoë, Sara, Nora, Fleur, Lotte, Femke, Anouk, Sanne, Maud, Roos, Evi, Liv, Lieke, Iris, Noor, Eline,
      Danique, Marieke, Loïs, Janneke`,
    family: `de Jong, Jansen, de Vries, van den Berg, van Dijk, Bakker, Janssen, Visser, Smit, Meijer, de Boer, Mulder, de Groot, Bos, Vos, Peters,
      Hendriks, van Leeuwen, Dekker, Brouwer, de Wit, Dijkstra, Koç, van der Meer, Postma, Zijlstra`,
  },
  PL: {
    male: `Antoni, Jakub, Jan, Szymon, Franciszek, Filip, Mikołaj, Wojciech, Kacper, Adam, Michał, Marcel, Stanisław, Łukasz, Paweł, Tomasz, Krzysztof,
      Bartosz, Mateusz, Grzegorz, Rafał, Błażej, Kamil, Jędrzej`,
    female: `Zuzanna, Julia, Maja, Zofia, Hanna, Lena, Alicja, Oliwia, Natalia, Wiktoria, Małgorzata, Agnieszka, Katarzyna, Aleksandra, Michalina,
      Gabriela, Joanna, Magdalena, Karolina, Łucja, Bogna, Weronika, Ewa, Kinga`,
    family: `Nowak, Kowalski/Kowalska, Wiśniewski/Wiśniewska, Wójcik, Kowalczyk, Kamiński/Kamińska, Lewandowski/Lewandowska, Zieliński/Zielińska,
      Szymański/Szymańska, Woźniak, Dąbrowski/Dąbrowska, Kozłowski/Kozłowska, Mazur, Krawczyk, Piotrowski/Piotrowska, Grabowski/Grabowska,
      Pawłowski/Pawłowska, Michalski/Michalska, Król, Wieczorek, Jabłoński/Jabłońska, Wróbel, Stępień, Górski/Górska`,
  },
  SE: {
    male: `Lucas, Liam, William, Elias, Noah, Hugo, Oliver, Oscar, Adam, Axel, Måns, Håkan, Björn, Göran, Jörgen, Viktor, Gustav, Anton, Emil, Åke,
      Ludvig, Theo, Sixten, Erik`,
    female: `Alice, Maja, Vera, Alma, Selma, Elsa, Lilly, Astrid, Wilma, Freja, Ebba, Agnes, Saga, Åsa, Linnéa, Märta, Tuva, Signe, Stina, Elin,
      Sara, Ingrid, Moa, Amina`,
    family: `Andersson, Johansson, Karlsson, Nilsson, Eriksson, Larsson, Olsson, Persson, Svensson, Gustafsson, Pettersson, Jönsson, Lindström,
      Lindqvist, Sjöberg, Åkesson, Öberg, Bergström, Lundgren, Hedlund, Ahmed, Holmqvist, Nyström, Sandström, Björklund, Forsberg`,
  },
  US: {
    male: `Liam, Noah, Elijah, Mason, Ethan, Jayden, Logan, Jackson, Aiden, Caleb, Isaiah, Tyler, Marcus, DeShawn, Malik, Trevor, Carlos, José,
      Brandon, Xavier, Cole, Hunter, Darius, Wyatt`,
    female: `Olivia, Ava, Madison, Harper, Abigail, Avery, Brooklyn, Kayla, Aaliyah, Imani, Jasmine, Destiny, Savannah, Kennedy, Mackenzie, Paige,
      Sydney, Alexis, Taylor, Gabriela, Naomi, Skylar, Hailey, Zoe`,
    family: `Johnson, Williams, Brown, Jones, Garcia, Miller, Davis, Rodriguez, Wilson, Anderson, Jackson, Thompson, Harris, Washington, Robinson,
      Lewis, Walker, Nguyen, Peterson, O'Brien, Kowalski, McCarthy, Freeman, Chen, Hernández, Sullivan`,
  },
} as const satisfies Record<string, NameRow>;
