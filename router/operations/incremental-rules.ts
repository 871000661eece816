/**
 * Validation rules of @defer and @stream, which graphql-js has from version 17
 * (https://github.com/graphql/graphql-js/tree/main/src/validation/rules).
 */
import { GraphQLError, getNullableType, isListType, Kind } from 'graphql';
import type { ASTVisitor, DirectiveNode, ValidationContext, ValidationRule } from 'graphql';
import { isIncremental } from './incremental-directives.ts';

/** Maximum characters of a label: it is repeated in each part. */
const labelCharacters = 100;

const valueOf = ({ arguments: given }: DirectiveNode, wanted: string) => given?.find(({ name }) => name.value === wanted)?.value;

/** Labels are texts in the document, and unique in it: they identify the parts. */
function incrementalLabels(context: ValidationContext): ASTVisitor {
  const known = new Map<string, DirectiveNode>();
  return {
    Directive(directive) {
      const label = isIncremental(directive) ? valueOf(directive, 'label') : undefined;
      if (label === undefined || label.kind === Kind.NULL) return;
      const report = (message: string, nodes: readonly DirectiveNode[]): void =>
        context.reportError(new GraphQLError(message, { nodes }));
      const name = `@${directive.name.value}`;
      if (label.kind !== Kind.STRING) {
        report(`The label of ${name} must be a text in the document, not a variable.`, [directive]);
        return;
      }
      const other = known.get(label.value);
      if (label.value.length > labelCharacters)
        report(`The label of ${name} must have at most ${labelCharacters} characters.`, [directive]);
      else if (other !== undefined)
        report(`The label "${label.value}" is used twice. Give each @defer and @stream its own label.`, [other, directive]);
      else known.set(label.value, directive);
    },
  };
}

/** Root fields of mutations run in order, and their results are in the first part. */
function incrementalRootFields(context: ValidationContext): ASTVisitor {
  return {
    Directive(directive) {
      const mutation = context.getSchema().getMutationType();
      if (!isIncremental(directive) || !mutation || context.getParentType() !== mutation) return;
      const message = `@${directive.name.value} cannot be used on root fields of a mutation. Use it within the selection of a root field.`;
      context.reportError(new GraphQLError(message, { nodes: directive }));
    },
  };
}

function streamedLists(context: ValidationContext): ASTVisitor {
  return {
    Directive(directive) {
      const field = context.getFieldDef();
      if (directive.name.value !== 'stream' || !field) return;
      const report = (message: string): void => context.reportError(new GraphQLError(message, { nodes: directive }));
      const count = valueOf(directive, 'initialCount');
      if (!isListType(getNullableType(field.type)))
        report(
          `@stream can be used on lists only; "${field.name}" is not a list. For a connection, use it on its nodes or edges.`,
        );
      else if (count?.kind === Kind.INT && Number(count.value) < 0) report('`initialCount` of @stream must be at least 0.');
    },
  };
}

export const incrementalRules: readonly ValidationRule[] = [incrementalLabels, incrementalRootFields, streamedLists];
