/** Eligibility: the hard criteria of an opportunity (docs/matching.md). An athlete who fails one is no match. */
import type { FitCriterion } from '../generated/resolvers.ts';
import {
  describeAges,
  agesOn,
  checkRequirement,
  datumOf,
  shortfall,
  sportFactsOf,
  describeBound,
  positionFit,
  yearsOutside,
  type Datum,
} from './comparisons.ts';
import type { AthleteFacts, Moment, OpportunityFacts } from './facts.ts';
import { joinCodes } from './feature-part.ts';

export interface Failure {
  readonly criterion: FitCriterion;
  /** Set for a requirement on a metric. */
  readonly metricKey: string | null;
  readonly required: string;
  readonly actual: string;
  /** Difference from the required value. Null if it is not numeric. */
  readonly byHowMuch: number | null;
  readonly unit: string | null;
}

/** The result of a criterion: met, failed, or undecided because a datum is missing. */
type Verdict = 'MET' | Omit<Failure, 'criterion' | 'metricKey'> | { readonly missing: Datum };

interface Evaluation {
  readonly criterion: FitCriterion;
  readonly metricKey?: string | null;
  readonly verdict: Verdict;
}

const failed = (required: readonly string[], actual: readonly string[]): Verdict => ({
  required: joinCodes(required),
  actual: joinCodes(actual),
  byHowMuch: null,
  unit: null,
});
/** A difference without floating-point noise. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const missing = (datum: Datum): Verdict => ({ missing: datum });

function sportVerdict(athlete: AthleteFacts, opportunity: OpportunityFacts): Verdict {
  if (sportFactsOf(athlete, opportunity)) return 'MET';
  return failed(
    [opportunity.sport],
    athlete.sports.map(({ sport }) => sport),
  );
}

function disciplineVerdict(athlete: AthleteFacts, opportunity: OpportunityFacts): Verdict {
  const { disciplines } = opportunity;
  if (disciplines.length === 0) return 'MET';
  const discipline = sportFactsOf(athlete, opportunity)?.discipline ?? null;
  if (discipline === null) return missing(datumOf('DISCIPLINE'));
  return disciplines.includes(discipline) ? 'MET' : failed(disciplines, [discipline]);
}

function sexVerdict({ sex }: AthleteFacts, opportunity: OpportunityFacts): Verdict {
  if (opportunity.sex === null || opportunity.sex === 'UNSPECIFIED' || opportunity.sex === sex) return 'MET';
  return sex === 'UNSPECIFIED' ? missing(datumOf('SEX')) : failed([opportunity.sex], [sex]);
}

function ageVerdict(athlete: AthleteFacts, { ageRange }: OpportunityFacts, { today }: Moment): Verdict {
  if (ageRange === null || (ageRange.min === null && ageRange.max === null)) return 'MET';
  const [lowest, highest] = agesOn(athlete, ageRange.referenceDate ?? today);
  const { min, max } = ageRange;
  if (lowest >= (min ?? 0) && highest <= (max ?? Infinity)) return 'MET';
  if (highest >= (min ?? 0) && lowest <= (max ?? Infinity)) return missing(datumOf('DATE_OF_BIRTH'));
  return {
    required: describeAges(min, max),
    actual: describeAges(lowest, highest),
    byHowMuch: Math.min(yearsOutside(lowest, ageRange), yearsOutside(highest, ageRange)),
    unit: 'years',
  };
}

function nationalityVerdict({ nationalities }: AthleteFacts, opportunity: OpportunityFacts): Verdict {
  if (opportunity.nationalities.length === 0) return 'MET';
  if (nationalities.length === 0) return missing(datumOf('NATIONALITIES'));
  const shared = nationalities.some((country) => opportunity.nationalities.includes(country));
  return shared ? 'MET' : failed(opportunity.nationalities, nationalities);
}

function positionVerdict(athlete: AthleteFacts, opportunity: OpportunityFacts): Verdict {
  const { sport, positions } = opportunity;
  if (positions.length === 0) return 'MET';
  const played = sportFactsOf(athlete, opportunity)?.positions ?? [];
  const fit = positionFit(sport, played, positions);
  if (fit === 'EXACT') return 'MET';
  if (fit === 'OTHER') return failed(positions, played);
  return missing(datumOf('POSITIONS'));
}

function deadlineVerdict({ applicationDeadline }: OpportunityFacts, { now }: Moment): Verdict {
  const lateMs = now.getTime() - Date.parse(applicationDeadline);
  if (lateMs < 0) return 'MET';
  const byHowMuch = Math.ceil(lateMs / 86_400_000);
  return { required: `before ${applicationDeadline}`, actual: now.toISOString(), byHowMuch, unit: 'days' };
}

/** An athlete who comes of age stays a minor until the owner activates the adult profile (docs/minors.md). */
function minorVerdict({ ageGroup }: AthleteFacts, { minorsAllowed }: OpportunityFacts): Verdict {
  return minorsAllowed || ageGroup === 'SENIOR' ? 'MET' : failed(['an adult'], ['a minor or of unknown age']);
}

/** Grade point averages are compared as shares of their scales. The difference is reported on the scale of the opportunity. */
function academicVerdict({ education }: AthleteFacts, { academic }: OpportunityFacts): Verdict {
  if (academic === null || academic.minGpa === null || academic.gpaScale === null) return 'MET';
  const { minGpa, gpaScale } = academic;
  const { gpa, gpaScale: scale } = education ?? { gpa: null, gpaScale: null };
  if (gpa === null || scale === null) return missing(datumOf('GPA'));
  const average = (gpa / scale) * gpaScale;
  if (average >= minGpa) return 'MET';
  return {
    required: `${minGpa} of ${gpaScale}`,
    actual: `${gpa} of ${scale}`,
    byHowMuch: rounded(minGpa - average),
    unit: `of ${gpaScale}`,
  };
}

function requirementVerdicts(athlete: AthleteFacts, { sport, requirements }: OpportunityFacts): Evaluation[] {
  return requirements
    .filter(({ mandatory }) => mandatory)
    .map((requirement): Evaluation => {
      const { operator, value, metricKey } = requirement;
      const { datum, name, unit, actual, textOf } = checkRequirement(requirement, athlete, sport);
      if (actual === null) return { criterion: 'REQUIREMENT', metricKey, verdict: missing(datum) };
      const byHowMuch = shortfall(operator, value, actual.value);
      const verdict: Verdict =
        byHowMuch === 0
          ? 'MET'
          : {
              required: `${name} ${describeBound(operator, textOf(value))}`,
              actual: textOf(actual.value),
              byHowMuch: rounded(byHowMuch),
              unit,
            };
      return { criterion: 'REQUIREMENT', metricKey, verdict };
    });
}

export interface Eligibility {
  /** Failed criteria. */
  readonly failures: readonly Failure[];
  /** Missing data without which a criterion cannot be evaluated. */
  readonly undecided: readonly Datum[];
}

/** Evaluates the hard criteria at a point in time: which of them fail, by how much, and which need missing data. */
export function checkEligibility(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Eligibility {
  const evaluations: Evaluation[] = [
    { criterion: 'SPORT', verdict: sportVerdict(athlete, opportunity) },
    { criterion: 'DISCIPLINE', verdict: disciplineVerdict(athlete, opportunity) },
    { criterion: 'SEX', verdict: sexVerdict(athlete, opportunity) },
    { criterion: 'AGE', verdict: ageVerdict(athlete, opportunity, moment) },
    { criterion: 'NATIONALITY', verdict: nationalityVerdict(athlete, opportunity) },
    { criterion: 'POSITION', verdict: positionVerdict(athlete, opportunity) },
    { criterion: 'DEADLINE', verdict: deadlineVerdict(opportunity, moment) },
    { criterion: 'MINORS', verdict: minorVerdict(athlete, opportunity) },
    { criterion: 'ACADEMIC', verdict: academicVerdict(athlete, opportunity) },
    ...requirementVerdicts(athlete, opportunity),
  ];
  const failures = evaluations.flatMap(({ criterion, metricKey = null, verdict }) =>
    verdict === 'MET' || 'missing' in verdict ? [] : [{ criterion, metricKey, ...verdict }],
  );
  const undecided = evaluations.flatMap(({ verdict }) => (verdict !== 'MET' && 'missing' in verdict ? [verdict.missing] : []));
  return { failures, undecided };
}
