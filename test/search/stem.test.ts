/** Stems: the algorithm's own examples of each rule, and words that a rule must leave alone. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stem } from '../../src/search/stem.ts';

/** `word:stem`, first by the steps of the algorithm. */
const stems = `
  caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre plastered:plaster bled:bled
  motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall
  hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky enjoy:enjoi relational:relat
  conditional:condit rational:ration valenci:valenc hesitanci:hesit digitizer:digit conformabli:conform
  radicalli:radic differentli:differ vileli:vile analogousli:analog vietnamization:vietnam predication:predic
  operator:oper feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous formaliti:formal
  sensitiviti:sensit sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electriciti:electr
  electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin
  gyroscopic:gyroscop adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust
  dependent:depend adoption:adopt homologou:homolog communism:commun activate:activ angulariti:angular
  homologous:homolog effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control
  roll:roll psychology:psycholog possibly:possibl analogy:analog by:by is:is as:as be:be oats:oat trees:tree
  ivy:ivi toy:toi syzygy:syzygi crying:cry dying:dy said:said bed:bed ring:ring string:string
  wetting:wet boxed:box playing:plai showed:show snowing:snow troubles:troubl generalizations:gener
  oscillators:oscil element:element cement:cement argument:argument agreement:agreement decision:decis
  mansion:mansion religion:religion million:million ability:abil nationally:nation usefully:usefulli
  probably:probabl finally:final finalise:finalis creator:creator createdness:created
  say:sai says:sai flies:fli dies:di used:us using:us seeing:see proceed:proce exceeded:exceed bee:bee
`;

for (const line of stems.trim().split('\n')) {
  it(`are as Porter’s algorithm makes them: ${line.trim()}`, () => {
    const pairs = line
      .trim()
      .split(' ')
      .map((pair) => pair.split(':'));
    assert.deepEqual(
      pairs.map(([word = '']) => stem(word)),
      pairs.map(([, expected]) => expected),
    );
  });
}
